"""Signatures made by arithmetic: the same seed writes the same one.

A stroke is a chain of overlapping movements, each with a lognormal speed and a direction that turns from one angle to
another: the sigma-lognormal model (Plamondon, "A kinematic theory of rapid human movements", 1995; O'Reilly and
Plamondon, 2009). What comes out has a hand's loops, cusps and speeds without being anyone's.
"""
import math
import random

STEP = 0.001  # of the integration, seconds


class Movement:
    """One lognormal movement: it starts at `start` seconds, is `length` long and turns from angle to angle."""

    def __init__(self, start, length, turning, median, spread):
        self.start, self.length, self.turning = start, length, turning
        self.mu, self.sigma = math.log(median), spread

    def velocity(self, time):
        since = time - self.start
        if since <= 0:
            return 0.0, 0.0
        z = (math.log(since) - self.mu) / self.sigma
        speed = self.length * math.exp(-z * z / 2) / (since * self.sigma * math.sqrt(2 * math.pi))
        done = (1 + math.erf(z / math.sqrt(2))) / 2
        angle = self.turning[0] + (self.turning[1] - self.turning[0]) * done
        return speed * math.cos(angle), speed * math.sin(angle)


class Signature:
    """strokes: lists of (milliseconds, x mm, y mm)."""

    def __init__(self, strokes):
        self.strokes = strokes

    @staticmethod
    def synthetic(seed, box, strokes=3, rate=120):
        """box: x, y, width, height in mm that it fills; rate: reports a second."""
        chance = random.Random(seed)
        paths, time = [], 0.0
        for _ in range(strokes):
            path = written(chance, time, rate)
            paths.append(path)
            time = path[-1][0] / 1000 + chance.uniform(0.12, 0.25)
        return Signature(side_by_side(paths, box))

    def duration(self):
        """In milliseconds."""
        return self.strokes[-1][-1][0]

    def text(self):
        """Lines of milliseconds, x, y, stroke: what TouchGenerator plays."""
        lines = []
        for number, stroke in enumerate(self.strokes):
            lines += [f"{t:.3f} {x:.4f} {y:.4f} {number}\n" for t, x, y in stroke]
        return "".join(lines)


def written(chance, begin, rate):
    """A stroke of loops: up and down alternate while the hand drifts to the right."""
    movements, time = [], begin - 0.05
    for number in range(chance.randint(5, 9)):
        heading = (-1.2 if number % 2 == 0 else 1.3) + chance.uniform(-0.4, 0.4)
        turn = chance.choice((-1, 1)) * chance.uniform(0.4, 2.2)
        length = chance.uniform(4, 11)
        turning = (heading - turn / 2, heading + turn / 2)
        movements.append(Movement(time, length, turning, chance.uniform(0.09, 0.13), chance.uniform(0.25, 0.35)))
        time += chance.uniform(0.08, 0.14)
    return integrated(movements, begin, time + 0.12, rate)


def integrated(movements, begin, end, rate):
    x = y = 0.0
    path, reported = [], begin
    for tick in range(int((end - begin) / STEP)):
        time = begin + tick * STEP
        if time + STEP / 2 >= reported:
            path.append((time * 1000, x, y))
            reported += 1 / rate
        for movement in movements:
            dx, dy = movement.velocity(time)
            x, y = x + dx * STEP, y + dy * STEP
    return path


def side_by_side(paths, box):
    """The strokes one after the other from left to right, filling the box."""
    left, top, width, height = box
    placed, cursor = [], 0.0
    for path in paths:
        least = min(x for _, x, _ in path)
        placed.append([(t, x - least + cursor, y) for t, x, y in path])
        cursor = max(x for _, x, _ in placed[-1]) - 2
    points = [point for path in placed for point in path]
    x0, x1 = min(p[1] for p in points), max(p[1] for p in points)
    y0, y1 = min(p[2] for p in points), max(p[2] for p in points)
    scale = min(width / (x1 - x0), height / (y1 - y0))
    return [[(t, left + (x - x0) * scale, top + (y - y0) * scale) for t, x, y in path] for path in placed]
