#!/bin/sh
# Stands in for `proviso check FILE --way=WAY`: what comes of it is the way.
case "$3" in
--way=right) echo "Verification result: TRUE" ;;
--way=wrong) echo "Verification result: FALSE (unreach-call)" && exit 10 ;;
--way=sleep) sleep 1000 ;;
*) exit 64 ;;
esac
