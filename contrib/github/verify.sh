#!/usr/bin/env bash
# Verifies the programs that FILES lists, one in a line. Results go to the folder OUTPUT: `N/` has the files of the Nth
# program, `sarif/N.sarif` is what code hosts read. Ends with 1 if a program violates its property. Files without `main` are
# parts of programs, and pass.
set -uo pipefail
output=${OUTPUT:-proviso-results}
mkdir -p "$output/sarif"
number=0
failed=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    number=$((number + 1))
    # Names of files and options are separated by spaces here.
    read -r -a files <<< "$line"
    read -r -a options <<< "${OPTIONS:-}"
    echo "::group::${line}"
    said=$(mktemp)
    proviso check --timelimit "${TIMELIMIT:-60s}" --output-dir "$output/$number" "${options[@]}" -- "${files[@]}" 2>&1 |
        tee "$said"
    code=${PIPESTATUS[0]}
    if [ "$code" = 65 ] && grep -q -e "no function \`main\`" -e "\`main\` has no body" "$said"; then
        echo "not verified by itself: it is a part of a program"
        code=0
    fi
    rm -f "$said"
    echo "::endgroup::"
    if [ -f "$output/$number/result.sarif" ]; then
        cp "$output/$number/result.sarif" "$output/sarif/$number.sarif"
    fi
    case $code in
        0) ;;
        20) if [ "${FAIL_ON_UNKNOWN:-false}" = true ]; then failed=1; fi ;;
        *) failed=1 ;;
    esac
done <<< "${FILES:-}"
exit "$failed"
