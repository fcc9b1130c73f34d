"""One panel for two in a booted Debian: cage under logind as another user, a Wayland client in it, and the pad beside it."""
import re

from machine.board import CONFIGURATION, Board
from machine.call import Call
from machine.hand import written
from machine.pad import WHITE
from machine.places import read, source
from machine.sentences import expect, test, until

TURNS = 50
# Cage shows wev, which prints the events that it receives.
CLIENT = "/usr/bin/stdbuf -oL /usr/bin/wev"
# OK, below a message.
OK, GLASS = Board.DONE, (60, 30)


class Locker(Board):
    """A board whose interface is cage with wev, by the unit among the examples; it is in front."""

    PACKAGES = ("cage", "wev", "libpam-systemd", "polkitd", "kbd")

    def __init__(self, case):
        super().__init__(case, packages=self.PACKAGES)
        self.control.push("/etc/paraph/paraphd.conf", CONFIGURATION + "[pad]\ninvite = request\nforeground = on-request\n")
        unit = read(source("config", "examples", "locker-interface.service")).decode()
        unit = re.sub(r"(?m)^ExecStart=.*$", f"ExecStart=/usr/bin/cage -- {CLIENT}", unit)
        # QEMU's card has no GL, and no X11 client needs Xwayland, which cage wants to find.
        unit = unit.replace("[Service]\n", "[Service]\nEnvironment=WLR_RENDERER=pixman WLR_XWAYLAND=/bin/true\n")
        self.control.push("/etc/systemd/system/locker-interface.service", unit)
        self.control.run("adduser --quiet --system --group kiosk && systemctl daemon-reload && systemctl restart paraphd", timeout=120)
        self.begin()

    def begin(self):
        self.control.run("systemctl start locker-interface", timeout=120)
        until(lambda: self.side() == "other", "cage has the screen", 120)
        until(lambda: self.control.status("pidof wev")[0] == 0, "the client runs", 60)
        self.interface = self.still()

    def still(self):
        """The screen when it does not change any more."""
        pictures = [None]

        def stands():
            pictures.append(self.vm.screen())
            self.control.run("sleep 0.3")
            return pictures[-1] == self.vm.screen() and pictures[-1].pixel(0, 0) != (0, 0, 0) and pictures[-1]

        return until(stands, "the screen stands still", 60)

    def side(self):
        found = re.search(r'"foreground": *"(\w+)"', self.control.status("paraph status --json")[1].decode())
        return found and found[1]

    def touches(self):
        """How many touches the client has received."""
        return int(self.control.text("journalctl -o cat -t cage | grep -c 'wl_touch.*down' || true"))

    def touched(self, sentence):
        """Taps until the client receives it, as cage opens its devices anew in front; how many it has received then."""
        before = sent = self.touches()

        def is_received():
            nonlocal sent
            self.touch.tap(*GLASS)
            sent += 1
            self.control.run("sleep 0.5")
            return self.touches() > before

        until(is_received, sentence, 30)
        # Of several taps those before may be lost, and those after may come late: for two seconds nothing comes.
        count, looks = self.touches(), 0
        while count < sent and looks < 4:
            self.control.run("sleep 0.5")
            former, count = count, self.touches()
            looks = looks + 1 if count == former else 0
        return count

    def call(self, command):
        self.latest = Call(self.control, f"paraph {command}")

    def ended(self):
        return self.latest.ended(), self.latest.error()

    def fronted(self):
        until(lambda: self.side() == "pad" and self.vm.screen().pixel(0, 0) == WHITE, "the pad comes to the front")
        return self.settled()


@test("beside cage and a Wayland client, the pad comes to the front fifty times; a kill of each side leaves the other")
def locker(case):
    board = Locker(case)
    show = "show --button --timeout 60 'Please take locker 4'"
    message = None
    for turn in range(TURNS):
        received = board.touched(f"turn {turn}: a touch reaches the client")
        board.call(show)
        if message:
            case.soon(board.vm, message, f"turn {turn}: the message is shown")
        else:
            message = board.fronted()
        # A finger that was down before does not count.
        until(lambda: board.side() == "pad", f"turn {turn}: the pad is in front")
        board.touch.tap(*OK)
        expect(board.ended() == (0, ""), f"turn {turn}: {board.ended()}")
        case.soon(board.vm, board.interface, f"turn {turn}: the interface is back")
        expect(board.touches() == received, f"turn {turn}: the pad's touch reached the client too")
    board.call("sign --reference 1")
    board.fronted()
    screen = board.sign(written(401))
    board.control.run("systemctl kill -s KILL paraphd")
    expect(board.ended()[0] == 4, "the program is not told that the pad is gone")
    until(lambda: board.control.status("paraph status")[0] == 0, "the pad is back", 60)
    case.soon(board.vm, screen, "ink and request are not in front again")
    board.call("sign --reference 1")
    board.control.run("kill -KILL $(pidof cage); sleep 4")
    case.same(board.vm.screen(), screen, "the person who signs does not see the pad")
    board.touch.tap(*OK)
    expect(board.ended()[0] == 0, f"{board.ended()}")
    until(lambda: board.side() == "other", "the interface is back after its death", 60)
