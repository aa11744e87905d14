-- What the migrations lead to. Written by go test ./store/sqlite -update.

CREATE TABLE asides (
  board   TEXT    NOT NULL CHECK (board <> ''),
  player  TEXT    NOT NULL CHECK (player <> ''),
  token   TEXT    NOT NULL CHECK (token <> ''),
  message TEXT    NOT NULL CHECK (message <> ''), -- its id, or @original
  expires INTEGER NOT NULL,
  PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX asides_expire ON asides (expires);

CREATE INDEX asides_of     ON asides (player);

CREATE TABLE back_offs (
  player     TEXT    NOT NULL CHECK (player <> ''),
  challenger TEXT    NOT NULL CHECK (challenger <> '' AND challenger <> player),
  weight     INTEGER NOT NULL CHECK (weight > 0),
  until      INTEGER NOT NULL,
  PRIMARY KEY (player, challenger)
) STRICT, WITHOUT ROWID;

CREATE INDEX back_offs_of    ON back_offs (challenger);

CREATE INDEX back_offs_until ON back_offs (until);

CREATE TABLE blocks (
  player  TEXT NOT NULL CHECK (player <> ''),
  blocked TEXT NOT NULL CHECK (blocked <> '' AND blocked <> player),
  PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_of ON blocks (blocked);

CREATE TABLE boards (
  id              TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  guild           TEXT    NOT NULL,
  channel         TEXT    NOT NULL,
  message         TEXT    NOT NULL,
  token           TEXT    NOT NULL,
  expires         INTEGER,
  member          INTEGER NOT NULL CHECK (member IN (0, 1)),
  shown           INTEGER NOT NULL DEFAULT 0 CHECK (shown >= 0),   -- the version that the message shows
  latest          INTEGER NOT NULL CHECK (latest >= 0),            -- the version that it should show; see the triggers
  mention_ply     INTEGER NOT NULL DEFAULT 0 CHECK (mention_ply >= 0),
  mention_message TEXT    NOT NULL DEFAULT ''
, locale TEXT NOT NULL DEFAULT '', refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), past_channel TEXT NOT NULL DEFAULT '', past_message TEXT NOT NULL DEFAULT '', edit TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE INDEX boards_behind ON boards (id) WHERE shown < latest OR edit <> '';

CREATE INDEX boards_guild ON boards (guild, refused);

CREATE TABLE challenges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue      TEXT    NOT NULL,
  challenger TEXT    NOT NULL CHECK (challenger <> ''),
  challenged TEXT    NOT NULL CHECK (challenged <> '' AND challenged <> challenger),
  rules      TEXT    NOT NULL,
  first      TEXT    NOT NULL CHECK (first IN ('random', 'me', 'them')), -- as the challenger sees it
  turn_ms    INTEGER NOT NULL CHECK (turn_ms > 0),
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    INTEGER NOT NULL,
  deadline   INTEGER,
  version    INTEGER NOT NULL CHECK (version > 0), casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)),
  CHECK ((status = 'pending') = (deadline IS NOT NULL))
) STRICT;

CREATE INDEX challenges_deadline ON challenges (deadline)   WHERE deadline IS NOT NULL;

CREATE INDEX challenges_from ON challenges (challenger, status);

CREATE INDEX challenges_to   ON challenges (challenged, status);

CREATE INDEX challenges_venue ON challenges (venue);

CREATE TABLE claims (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_until ON claims (until);

CREATE TABLE "deeds" (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''),     -- of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'draw', 'void', 'reset')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  CHECK ((kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

CREATE INDEX deeds_of    ON deeds (player, n);

CREATE INDEX deeds_venue ON deeds (venue, n);

CREATE TABLE emoji (
  application TEXT NOT NULL CHECK (application <> ''),
  id          TEXT NOT NULL CHECK (id <> ''),
  name        TEXT NOT NULL CHECK (name <> ''),
  hash        TEXT NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name    TEXT    NOT NULL PRIMARY KEY CHECK (name <> ''),
  holder  TEXT    NOT NULL CHECK (holder <> ''),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE "matches" (
  id               TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  series           TEXT    NOT NULL CHECK (series <> ''),
  venue            TEXT    NOT NULL,
  rules            TEXT    NOT NULL,
  x_player         TEXT    CHECK (x_player <> ''),
  x_level          TEXT    CHECK (x_level <> ''),
  o_player         TEXT    CHECK (o_player <> ''),
  o_level          TEXT    CHECK (o_level <> ''),
  turn_ms          INTEGER NOT NULL CHECK (turn_ms > 0),
  deadline         INTEGER,
  outcome          TEXT    CHECK (outcome IN ('X', 'O', 'draw')),
  cause            TEXT    CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show')),
  rematch          TEXT    CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       TEXT    CHECK (rematch_by <> ''),
  rematch_deadline INTEGER,
  rematch_next     TEXT    CHECK (rematch_next <> ''),
  created          INTEGER NOT NULL,
  ended            INTEGER,
  version          INTEGER NOT NULL CHECK (version > 0),
  proposer         TEXT    CHECK (proposer IN ('X', 'O')), stakes TEXT CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart')), -- who asked for the match; NULL against a computer, and in older matches
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
    WHEN cause = 'no show'                               THEN outcome IS NULL AND proposer IS NOT NULL
    WHEN cause IN ('full board', 'moderator')            THEN outcome IS 'draw'
    ELSE outcome IS 'X' OR outcome IS 'O'
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK ((rematch IS 'proposed') = (rematch_deadline IS NOT NULL)),
  CHECK ((rematch IS 'started') = (rematch_next IS NOT NULL)),
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL)
) STRICT;

CREATE INDEX matches_deadline ON matches (deadline)         WHERE deadline IS NOT NULL;

CREATE INDEX matches_of_o     ON matches (o_player, ended) WHERE o_player IS NOT NULL;

CREATE INDEX matches_of_x     ON matches (x_player, ended) WHERE x_player IS NOT NULL;

CREATE INDEX matches_rematch  ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;

CREATE INDEX matches_series   ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended) WHERE ended IS NOT NULL;

CREATE INDEX matches_venue    ON matches (venue, ended, id);

CREATE TABLE moves (
  match  TEXT    NOT NULL REFERENCES matches (id),
  ply    INTEGER NOT NULL CHECK (ply >= 0),
  square INTEGER NOT NULL CHECK (square >= 0),
  at     INTEGER NOT NULL,
  PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name  TEXT    CHECK (name <> ''),                       -- as last seen
  quiet INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1)) -- wants no turn mentions
, closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)), text_board INTEGER NOT NULL DEFAULT 0 CHECK (text_board IN (0, 1)), hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))) STRICT, WITHOUT ROWID;

CREATE TABLE policies (
  venue   TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  places  TEXT    NOT NULL,                            -- where matches may begin; everywhere if empty
  turn_ms INTEGER CHECK (turn_ms > 0),                 -- unless the challenger says otherwise
  levels  TEXT    NOT NULL,                            -- on offer; all if empty
  quiet   INTEGER NOT NULL CHECK (quiet IN (0, 1)),    -- no turn is mentioned
  version INTEGER NOT NULL CHECK (version > 0)
, casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)), no_profiles INTEGER NOT NULL DEFAULT 0 CHECK (no_profiles IN (0, 1))) STRICT, WITHOUT ROWID;

CREATE TABLE "presence" (
  part      INTEGER NOT NULL PRIMARY KEY CHECK (part >= 0),
  parts     INTEGER NOT NULL CHECK (parts > part),
  last_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE rated (
  venue           TEXT    NOT NULL CHECK (venue <> ''),
  rules           TEXT    NOT NULL CHECK (rules <> ''),
  player          TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  at              INTEGER NOT NULL, -- when the match ended
  match           TEXT    NOT NULL,
  opponent        TEXT    NOT NULL CHECK (opponent NOT IN ('', player)),
  score           REAL    NOT NULL CHECK (score IN (0, 0.5, 1)),
  weight          REAL    NOT NULL CHECK (weight IN (0.5, 1)),
  met             INTEGER NOT NULL CHECK (met IN (0, 1)), -- whether it was the first with this opponent
  -- The opponent's rating as it counted.
  other_value     REAL    NOT NULL,
  other_deviation REAL    NOT NULL,
  -- The player's, after it, and all matches so far.
  value           REAL    NOT NULL,
  deviation       REAL    NOT NULL,
  volatility      REAL    NOT NULL,
  wins            INTEGER NOT NULL,
  draws           INTEGER NOT NULL,
  losses          INTEGER NOT NULL,
  opponents       INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match)
) STRICT, WITHOUT ROWID;

CREATE INDEX rated_in_order ON rated (venue, rules, at, match);

CREATE INDEX rated_match    ON rated (match);

CREATE INDEX rated_player   ON rated (player, match);

CREATE TABLE rating_buckets (
  venue  TEXT    NOT NULL,
  rules  TEXT    NOT NULL,
  first  TEXT    NOT NULL,
  length INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE ratings (
  venue      TEXT    NOT NULL CHECK (venue <> ''),
  rules      TEXT    NOT NULL CHECK (rules <> ''),
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  value      REAL    NOT NULL,
  deviation  REAL    NOT NULL,
  volatility REAL    NOT NULL,
  at         INTEGER NOT NULL,
  wins       INTEGER NOT NULL,
  draws      INTEGER NOT NULL,
  losses     INTEGER NOT NULL,
  opponents  INTEGER NOT NULL,
  place      TEXT    NOT NULL, -- sorts as the ladder does
  PRIMARY KEY (venue, rules, player)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX ratings_place ON ratings (venue, rules, place);

CREATE INDEX ratings_player ON ratings (player, venue, rules);

CREATE TABLE replays (
  venue TEXT    NOT NULL,
  rules TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  match TEXT    NOT NULL,
  PRIMARY KEY (venue, rules)
) STRICT, WITHOUT ROWID;

CREATE TABLE score_resets (
  venue TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scores (
  venue   TEXT    NOT NULL,
  player  TEXT    NOT NULL CHECK (player <> ''),
  level   TEXT    NOT NULL,                       -- of the computer played against; empty against people
  wins    INTEGER NOT NULL CHECK (wins >= 0),
  draws   INTEGER NOT NULL CHECK (draws >= 0),
  losses  INTEGER NOT NULL CHECK (losses >= 0),
  reached INTEGER NOT NULL,                       -- 0 while there are only draws
  PRIMARY KEY (venue, player, level),
  CHECK ((reached = 0) = (wins + losses = 0))
) STRICT, WITHOUT ROWID;

CREATE INDEX scores_player  ON scores (player, level, venue);

CREATE TABLE sessions (
  shard    INTEGER NOT NULL PRIMARY KEY CHECK (shard >= 0),
  shards   INTEGER NOT NULL CHECK (shards > shard),
  id       TEXT    NOT NULL CHECK (id <> ''),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  token    TEXT    NOT NULL,
  saved    INTEGER NOT NULL
) STRICT;

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

CREATE INDEX standings_ranking ON standings (venue, computers, place, player, wins, draws, losses, reached);

CREATE TABLE stretches (
  venue     TEXT    NOT NULL,
  computers INTEGER NOT NULL,
  first     TEXT    NOT NULL,
  length    INTEGER NOT NULL,
  PRIMARY KEY (venue, computers, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE venues (
  id   TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  gone INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;

CREATE TRIGGER challenges_changed AFTER UPDATE OF version ON challenges BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;

CREATE TRIGGER challenges_created AFTER INSERT ON challenges BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;

CREATE TRIGGER matches_changed AFTER UPDATE OF version ON matches BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;

CREATE TRIGGER matches_created AFTER INSERT ON matches BEGIN
  UPDATE boards SET latest = max(latest, NEW.version) WHERE id = NEW.id;
END;

CREATE TRIGGER scores_added AFTER INSERT ON scores WHEN NEW.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = NEW.venue AND computers = (NEW.level <> '') AND player = NEW.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE venue = NEW.venue AND player = NEW.player AND (level <> '') = (NEW.level <> '') GROUP BY venue, player;
END;

CREATE TRIGGER scores_changed AFTER UPDATE ON scores WHEN NEW.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = NEW.venue AND computers = (NEW.level <> '') AND player = NEW.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE venue = NEW.venue AND player = NEW.player AND (level <> '') = (NEW.level <> '') GROUP BY venue, player;
END;

CREATE TRIGGER scores_removed AFTER DELETE ON scores WHEN OLD.venue <> '' BEGIN
  DELETE FROM standings WHERE venue = OLD.venue AND computers = (OLD.level <> '') AND player = OLD.player;
  INSERT INTO standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, level <> '', player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores
    WHERE changes() > 0 AND venue = OLD.venue AND player = OLD.player AND (level <> '') = (OLD.level <> '') GROUP BY venue, player;
END;

CREATE TRIGGER standings_added AFTER INSERT ON standings BEGIN
  INSERT INTO stretches (venue, computers, first, length) VALUES (NEW.venue, NEW.computers, '', 0) ON CONFLICT DO NOTHING;
  UPDATE stretches SET length = length + 1 WHERE venue = NEW.venue AND computers = NEW.computers AND first = (
    SELECT max(first) FROM stretches WHERE venue = NEW.venue AND computers = NEW.computers AND first <= NEW.place);
END;

CREATE TRIGGER standings_removed AFTER DELETE ON standings BEGIN
  UPDATE stretches SET length = length - 1 WHERE venue = OLD.venue AND computers = OLD.computers AND first = (
    SELECT max(first) FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first <= OLD.place);
  UPDATE stretches SET length = stretches.length + gone.length FROM stretches AS gone
    WHERE gone.venue = OLD.venue AND gone.computers = OLD.computers AND gone.first = OLD.place
    AND stretches.venue = OLD.venue AND stretches.computers = OLD.computers AND stretches.first = (
      SELECT max(first) FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first < OLD.place);
  DELETE FROM stretches WHERE venue = OLD.venue AND computers = OLD.computers AND first = OLD.place;
END;

CREATE TRIGGER stretches_grown AFTER UPDATE OF length ON stretches WHEN NEW.length > 2048 BEGIN
  INSERT INTO stretches (venue, computers, first, length)
    SELECT venue, computers, place, NEW.length - NEW.length / 2 FROM standings
    WHERE venue = NEW.venue AND computers = NEW.computers AND place >= NEW.first
    ORDER BY place LIMIT 1 OFFSET NEW.length / 2
    ON CONFLICT DO NOTHING;
  UPDATE stretches SET length = NEW.length / 2
    WHERE venue = NEW.venue AND computers = NEW.computers AND first = NEW.first;
END;
