# The guest's end of the port named "control". A request is "NUMBER LINES INPUT-LENGTH MARK", then so many lines of a script
# and its input; an answer is what the script wrote, and a line "NUMBER STATUS MARK". The host asks again only after an
# answer, so nothing can be read ahead of its turn. Each new process is milliseconds of an emulated processor, and hosts
# ask often: a request makes one, and one more where it has input. What a script leaves in the background has output of
# its own: Control.start.
until [ -e /dev/virtio-ports/control ]; do sleep 0.05; done
# A port can be opened only once: for both directions, then.
exec 3<>/dev/virtio-ports/control
echo "GUEST ready"
while :; do
    # After a machine's sleep, a port reads as ended until the host has said again that its end is open.
    read -r number lines input mark || { sleep 0.05; continue; }
    script=
    while [ "$lines" -gt 0 ]; do
        IFS= read -r line
        script="$script$line
"
        lines=$((lines - 1))
    done
    from=/dev/null
    if [ "$input" -gt 0 ]; then
        from=/run/control.in
        head -c "$input" >$from
    fi
    (eval "$script") <$from >&3 2>&1 3>&-
    echo "
$number $? $mark" >&3
done <&3
