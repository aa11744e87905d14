-- +goose Up

-- What the leaderboards are read from: one row for each player on each of them, in the order of place. The triggers on
-- scores alone keep it.
CREATE TABLE standings (
  venue     TEXT    NOT NULL CHECK (venue <> ''),
  computers INTEGER NOT NULL CHECK (computers IN (0, 1)), -- whether of the board of matches against the computer
  player    TEXT    NOT NULL,
  wins      INTEGER NOT NULL,
  draws     INTEGER NOT NULL,
  losses    INTEGER NOT NULL,
  reached   INTEGER NOT NULL,
  -- All that ranks, as one text that sorts like it: comparing and seeking need one value, and all of it ascending.
  place     TEXT    NOT NULL AS (printf('%010d', 9999999999 - wins) || iif(computers, printf('%010d', 9999999999 - draws), '')
    || printf('%010d%015d', losses, reached) || player) VIRTUAL,
  PRIMARY KEY (venue, computers, player)
) STRICT, WITHOUT ROWID;

-- It holds all columns, so that none of the rows that are skipped or counted is looked up. (Where a computed column is read,
-- SQLite wants no fewer.)
CREATE INDEX standings_ranking ON standings (venue, computers, place, player, wins, draws, losses, reached);

-- Standings that follow each other, counted together: ranks and pages are found by adding up some hundred lengths instead of
-- counting a million rows. A stretch goes from its first place, which is that of a standing, to the next one's. The first
-- of a leaderboard begins before all places. The triggers on standings alone keep it. No CHECK holds the length: should it
-- ever be wrong, pages are, and matches still end.
CREATE TABLE stretches (
  venue     TEXT    NOT NULL,
  computers INTEGER NOT NULL,
  first     TEXT    NOT NULL,
  length    INTEGER NOT NULL,
  PRIMARY KEY (venue, computers, first)
) STRICT, WITHOUT ROWID;

INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
  SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
  WHERE venue <> '' GROUP BY venue, player, level <> '';

INSERT INTO stretches (venue, computers, first, length)
  SELECT venue, computers, iif(n = 0, '', min(place)), count(*) FROM (
    SELECT venue, computers, place, (row_number() OVER (PARTITION BY venue, computers ORDER BY place) - 1) / 1024 AS n FROM standings)
  GROUP BY venue, computers, n;

-- +goose StatementBegin
CREATE TRIGGER standings_added AFTER INSERT ON standings BEGIN
  INSERT INTO stretches (venue, computers, first, length) VALUES (NEW.venue, NEW.computers, '', 0) ON CONFLICT DO NOTHING;
  UPDATE stretches SET length = length + 1 WHERE venue = NEW.venue AND computers = NEW.computers AND first = (
    SELECT max(first) FROM stretches WHERE venue = NEW.venue AND computers = NEW.computers AND first <= NEW.place);
END;
-- +goose StatementEnd

-- A stretch whose first standing goes is joined to the one before.
-- +goose StatementBegin
CREATE TRIGGER standings_removed AFTER DELETE ON standings BEGIN
  UPDATE stretches SET length = length - 1 WHERE venue = OLD.venue AND computers = OLD.computers AND first = (
    SELECT max(first) FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first <= OLD.place);
  UPDATE stretches SET length = stretches.length + gone.length FROM stretches AS gone
    WHERE gone.venue = OLD.venue AND gone.computers = OLD.computers AND gone.first = OLD.place
    AND stretches.venue = OLD.venue AND stretches.computers = OLD.computers AND stretches.first = (
      SELECT max(first) FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first < OLD.place);
  DELETE FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first = OLD.place;
END;
-- +goose StatementEnd

-- A stretch that has become long is halved.
-- +goose StatementBegin
CREATE TRIGGER stretches_grown AFTER UPDATE OF length ON stretches WHEN NEW.length > 2048 BEGIN
  INSERT INTO stretches (venue, computers, first, length)
    SELECT venue, computers, place, NEW.length - NEW.length / 2 FROM standings
    WHERE venue = NEW.venue AND computers = NEW.computers AND place >= NEW.first
    ORDER BY place LIMIT 1 OFFSET NEW.length / 2
    ON CONFLICT DO NOTHING;
  UPDATE stretches SET length = NEW.length / 2
    WHERE venue = NEW.venue AND computers = NEW.computers AND first = NEW.first;
END;
-- +goose StatementEnd

DROP TRIGGER scores_added;
DROP TRIGGER scores_changed;
DROP TRIGGER scores_removed;
DROP TABLE computer_scores;
DROP INDEX scores_ranking;

-- +goose StatementBegin
CREATE TRIGGER scores_added AFTER INSERT ON scores WHEN NEW.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = NEW.venue AND computers = (NEW.level <> '') AND player = NEW.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE venue = NEW.venue AND player = NEW.player AND (level <> '') = (NEW.level <> '') GROUP BY venue, player;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER scores_changed AFTER UPDATE ON scores WHEN NEW.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = NEW.venue AND computers = (NEW.level <> '') AND player = NEW.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE venue = NEW.venue AND player = NEW.player AND (level <> '') = (NEW.level <> '') GROUP BY venue, player;
END;
-- +goose StatementEnd

-- Without a standing none is made: who clears a whole leaderboard deletes the standings first.
-- +goose StatementBegin
CREATE TRIGGER scores_removed AFTER DELETE ON scores WHEN OLD.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = OLD.venue AND computers = (OLD.level <> '') AND player = OLD.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE changes() > 0 AND venue = OLD.venue AND player = OLD.player AND (level <> '') = (OLD.level <> '') GROUP BY venue, player;
END;
-- +goose StatementEnd

-- For what is deleted with a server: to read all challenges for each server took seconds.
CREATE INDEX challenges_venue ON challenges (venue);
