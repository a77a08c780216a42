% Futurebus+: I invalid, SU shared, EU exclusive, EM exclusive and modified; pending: PR reads, PW
% writes, PMR and PMW modified ones that answer a read or a write, PSU shared ones that wait.
% Each variable counts the caches in one state, for any number of them.
:- multifile s/5.
:- multifile r/4.
:- multifile b/3.

r(p(init, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SUp, EUp, EMp, PRp, PWp, PMRp, PMWp, PSUp), {I >= 1, SUp = 0, EUp = 0, EMp = 0, PRp = 0, PWp = 0, PMRp = 0, PMWp = 0, PSUp = 0}, 1).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), {SU+EU+EM >= 1}, 2).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, Ip, SUp, EUp, EMp, PRp, PW, PMRp, PMW, PSUp), {I >= 1, PW = 0, Ip = I-1, SUp = 0, EUp = 0, EMp = 0, PRp = PR+1, PMRp = PMR+EM, PSUp = PSU+SU+EU}, 3).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SUp, EU, EM, PRp, PW, PMRp, PMW, PSU), {PMR >= 1, SUp = SU+PR+1, PRp = 0, PMRp = PMR-1}, 4).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SUp, EU, EM, PRp, PW, PMR, PMW, PSUp), {PSU >= 1, SUp = SU+PR+PSU, PRp = 0, PSUp = 0}, 5).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SUp, EU, EM, PRp, PW, PMR, PMW, PSU), {PR >= 2, PMR = 0, PSU = 0, SUp = SU+PR, PRp = 0}, 6).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SU, EUp, EM, PRp, PW, PMR, PMW, PSU), {PR = 1, PMR = 0, PSU = 0, EUp = EU+1, PRp = 0}, 7).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, Ip, SUp, EUp, EMp, PRp, PWp, PMRp, PMWp, PSUp), {I >= 1, PW = 0, Ip = I+SU+EU+PR+PMR+PSU-1, SUp = 0, EUp = 0, EMp = 0, PRp = 0, PWp = 1, PMRp = 0, PMWp = PMW+EM, PSUp = 0}, 8).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, Ip, SU, EU, EMp, PR, PWp, PMR, PMWp, PSU), {PMW >= 1, Ip = I+1, EMp = EM+PW, PWp = 0, PMWp = PMW-1}, 9).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SU, EU, EMp, PR, PWp, PMR, PMW, PSU), {PMW = 0, EMp = EM+PW, PWp = 0}, 10).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, I, SU, EUp, EMp, PR, PW, PMR, PMW, PSU), {EU >= 1, EUp = EU-1, EMp = EM+1}, 11).
r(p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), p(run, Ip, SUp, EU, EMp, PR, PW, PMR, PMW, PSU), {SU >= 1, Ip = I+SU-1, SUp = 0, EMp = EM+1}, 12).

s(0, p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), {EM >= 2}, 1, (0,0)).
s(0, p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), {EM >= 1, SU+EU >= 1}, 2, (0,0)).
s(0, p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), {EU >= 2}, 3, (0,0)).
s(0, p(run, I, SU, EU, EM, PR, PW, PMR, PMW, PSU), {EU >= 1, SU >= 1}, 4, (0,0)).

b(p(run, _, _, _, _, _, _, _, _, _), {}, 1).
