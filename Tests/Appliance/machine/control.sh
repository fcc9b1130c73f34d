# The guest's end of the port named "control". A request is "NUMBER SCRIPT-LENGTH INPUT-LENGTH", then the script and its
# input; an answer is "NUMBER STATUS LENGTH" and what the script wrote. The host asks again only after an answer, so
# nothing can be read ahead of its turn.
until [ -e /dev/virtio-ports/control ]; do sleep 0.05; done
# A port can be opened only once: for both directions, then.
exec 3<>/dev/virtio-ports/control
echo "GUEST ready"
while :; do
    # After a machine's sleep, a port reads as ended until the host has said again that its end is open.
    read -r number script input || { sleep 0.05; continue; }
    head -c $((script + input)) >/run/control.all
    head -c "$script" /run/control.all >/run/control.sh
    tail -c +$((script + 1)) /run/control.all >/run/control.in
    sh /run/control.sh </run/control.in >/run/control.out 2>&1 3>&-
    echo "$number $? $(stat -c %s /run/control.out)" >&3
    cat /run/control.out >&3
done <&3
