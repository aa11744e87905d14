-- +goose Up

-- What each table is for is said in the migrations for SQLite; the columns hold the same. Times are unix milliseconds,
-- durations milliseconds, ids opaque texts, compared byte by byte. NULL means "not set"; no column uses an empty text for
-- that, except venue, which is empty in direct messages, and what Discord has not told yet (boards).

CREATE TABLE players (
  id     text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  name   text COLLATE "C" CHECK (name <> ''),
  quiet  boolean NOT NULL DEFAULT false,
  closed boolean NOT NULL DEFAULT false
);

CREATE TABLE blocks (
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  blocked text COLLATE "C" NOT NULL CHECK (blocked <> '' AND blocked <> player),
  PRIMARY KEY (player, blocked)
);

CREATE INDEX blocks_of ON blocks (blocked);

CREATE TABLE back_offs (
  player     text COLLATE "C" NOT NULL CHECK (player <> ''),
  challenger text COLLATE "C" NOT NULL CHECK (challenger <> '' AND challenger <> player),
  weight     integer NOT NULL CHECK (weight > 0),
  until      bigint NOT NULL,
  PRIMARY KEY (player, challenger)
);

CREATE INDEX back_offs_of    ON back_offs (challenger);
CREATE INDEX back_offs_until ON back_offs (until);

-- Which bot holds the deadline, and until when. Whatever changes the row ends that.
CREATE TABLE challenges (
  id         text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  venue      text COLLATE "C" NOT NULL,
  challenger text COLLATE "C" NOT NULL CHECK (challenger <> ''),
  challenged text COLLATE "C" NOT NULL CHECK (challenged <> '' AND challenged <> challenger),
  rules      text COLLATE "C" NOT NULL,
  first      text COLLATE "C" NOT NULL CHECK (first IN ('random', 'me', 'them')),
  turn_ms    bigint NOT NULL CHECK (turn_ms > 0),
  status     text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    bigint NOT NULL,
  deadline   bigint,
  version    integer NOT NULL CHECK (version > 0),
  held_by    text COLLATE "C",
  held_until bigint,
  CHECK ((status = 'pending') = (deadline IS NOT NULL)),
  CHECK ((held_by IS NULL) = (held_until IS NULL))
);

CREATE INDEX challenges_from     ON challenges (challenger, status);
CREATE INDEX challenges_to       ON challenges (challenged, status);
CREATE INDEX challenges_venue    ON challenges (venue);
CREATE INDEX challenges_deadline ON challenges (deadline DESC, id) WHERE deadline IS NOT NULL;

-- due is the one deadline that a match has, of a turn or of a rematch.
CREATE TABLE matches (
  id               text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  series           text COLLATE "C" NOT NULL CHECK (series <> ''),
  venue            text COLLATE "C" NOT NULL,
  rules            text COLLATE "C" NOT NULL,
  x_player         text COLLATE "C" CHECK (x_player <> ''),
  x_level          text COLLATE "C" CHECK (x_level <> ''),
  o_player         text COLLATE "C" CHECK (o_player <> ''),
  o_level          text COLLATE "C" CHECK (o_level <> ''),
  turn_ms          bigint NOT NULL CHECK (turn_ms > 0),
  deadline         bigint,
  outcome          text COLLATE "C" CHECK (outcome IN ('X', 'O', 'draw')),
  cause            text COLLATE "C" CHECK (cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided')),
  rematch          text COLLATE "C" CHECK (rematch IN ('proposed', 'declined', 'expired', 'started')),
  rematch_by       text COLLATE "C" CHECK (rematch_by <> ''),
  rematch_deadline bigint,
  rematch_next     text COLLATE "C" CHECK (rematch_next <> ''),
  created          bigint NOT NULL,
  ended            bigint,
  version          integer NOT NULL CHECK (version > 0),
  due              bigint GENERATED ALWAYS AS (coalesce(deadline, rematch_deadline)) STORED,
  held_by          text COLLATE "C",
  held_until       bigint,
  CHECK ((x_player IS NULL) <> (x_level IS NULL)),
  CHECK ((o_player IS NULL) <> (o_level IS NULL)),
  CHECK (x_player <> o_player),
  CHECK ((cause IS NULL) = (ended IS NULL)),
  CHECK ((cause IS NULL) = (deadline IS NOT NULL)),
  CHECK (CASE
    WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
    WHEN cause IN ('full board', 'moderator')            THEN coalesce(outcome = 'draw', false)
    ELSE coalesce(outcome IN ('X', 'O'), false)
  END),
  CHECK (rematch IS NULL OR cause IS NOT NULL),
  CHECK (coalesce(rematch = 'proposed', false) = (rematch_deadline IS NOT NULL)),
  CHECK (coalesce(rematch = 'started', false) = (rematch_next IS NOT NULL)),
  CHECK (coalesce(rematch <> 'proposed', true) OR rematch_by IS NOT NULL),
  CHECK ((held_by IS NULL) = (held_until IS NULL))
);

CREATE INDEX matches_of_x   ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o   ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_series ON matches (series) WHERE ended IS NOT NULL;
CREATE INDEX matches_due    ON matches (due DESC, id) WHERE due IS NOT NULL;
CREATE INDEX matches_venue  ON matches (venue, ended, id);

-- The primary key is the last wall against two moves of one ply.
CREATE TABLE moves (
  match  text COLLATE "C" NOT NULL REFERENCES matches (id),
  ply    integer NOT NULL CHECK (ply >= 0),
  square integer NOT NULL CHECK (square >= 0),
  at     bigint NOT NULL,
  PRIMARY KEY (match, ply)
);

CREATE TABLE scores (
  venue   text COLLATE "C" NOT NULL,
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  level   text COLLATE "C" NOT NULL,
  wins    integer NOT NULL CHECK (wins >= 0),
  draws   integer NOT NULL CHECK (draws >= 0),
  losses  integer NOT NULL CHECK (losses >= 0),
  reached bigint NOT NULL,
  PRIMARY KEY (venue, player, level),
  CHECK ((reached = 0) = (wins + losses = 0))
);

CREATE INDEX scores_player ON scores (player, level, venue);

-- place sorts as the leaderboard does; see the migrations for SQLite. What changes the scores of a venue is alone there and
-- has the standings follow by the functions below.
CREATE TABLE standings (
  venue     text COLLATE "C" NOT NULL CHECK (venue <> ''),
  computers boolean NOT NULL,
  player    text COLLATE "C" NOT NULL,
  wins      bigint NOT NULL,
  draws     bigint NOT NULL,
  losses    bigint NOT NULL,
  reached   bigint NOT NULL,
  place     text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lpad((9999999999 - wins)::text, 10, '0')
    || CASE WHEN computers THEN lpad((9999999999 - draws)::text, 10, '0') ELSE '' END
    || lpad(losses::text, 10, '0') || lpad(reached::text, 15, '0') || player) STORED,
  PRIMARY KEY (venue, computers, player)
);

CREATE INDEX standings_ranking ON standings (venue, computers, place);
CREATE INDEX standings_player  ON standings (player);

CREATE TABLE stretches (
  venue     text COLLATE "C" NOT NULL,
  computers boolean NOT NULL,
  first     text COLLATE "C" NOT NULL,
  length    integer NOT NULL,
  PRIMARY KEY (venue, computers, first)
);

CREATE VIEW sums AS
  SELECT venue, level <> '' AS computers, player,
    sum(wins)::bigint AS wins, sum(draws)::bigint AS draws, sum(losses)::bigint AS losses, max(reached) AS reached
  FROM scores WHERE venue <> '' GROUP BY venue, level <> '', player;

-- stand gives a player the standing that the scores lead to, or none.
-- +goose StatementBegin
CREATE FUNCTION stand(at_venue text, with_computers boolean, of_player text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  before text COLLATE "C";
  now    text COLLATE "C";
  grown  text COLLATE "C";
  total  integer;
BEGIN
  DELETE FROM tictactoe.standings WHERE venue = at_venue AND computers = with_computers AND player = of_player
    RETURNING place INTO before;
  INSERT INTO tictactoe.standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, with_computers, player, sum(wins), sum(draws), sum(losses), max(reached) FROM tictactoe.scores
    WHERE venue = at_venue AND venue <> '' AND player = of_player AND (level <> '') = with_computers GROUP BY venue, player
    RETURNING place INTO now;
  IF before IS NOT NULL THEN
    UPDATE tictactoe.stretches SET length = length - 1 WHERE venue = at_venue AND computers = with_computers AND first = (
      SELECT max(first) FROM tictactoe.stretches WHERE venue = at_venue AND computers = with_computers AND first <= before);
    -- A stretch whose first standing goes is joined to the one before.
    DELETE FROM tictactoe.stretches WHERE venue = at_venue AND computers = with_computers AND first = before
      RETURNING length INTO total;
    IF FOUND THEN
      UPDATE tictactoe.stretches SET length = length + total WHERE venue = at_venue AND computers = with_computers AND first = (
        SELECT max(first) FROM tictactoe.stretches WHERE venue = at_venue AND computers = with_computers AND first < before)
        RETURNING first, length INTO grown, total;
    END IF;
  END IF;
  IF now IS NOT NULL THEN
    INSERT INTO tictactoe.stretches (venue, computers, first, length) VALUES (at_venue, with_computers, '', 0) ON CONFLICT DO NOTHING;
    UPDATE tictactoe.stretches SET length = length + 1 WHERE venue = at_venue AND computers = with_computers AND first = (
      SELECT max(first) FROM tictactoe.stretches WHERE venue = at_venue AND computers = with_computers AND first <= now)
      RETURNING first, length INTO grown, total;
  END IF;
  IF total > 2048 THEN -- it is halved
    INSERT INTO tictactoe.stretches (venue, computers, first, length)
      SELECT venue, computers, place, total - total / 2 FROM tictactoe.standings
      WHERE venue = at_venue AND computers = with_computers AND place >= grown ORDER BY place LIMIT 1 OFFSET total / 2;
    UPDATE tictactoe.stretches SET length = total / 2 WHERE venue = at_venue AND computers = with_computers AND first = grown;
  END IF;
END
$$;
-- +goose StatementEnd

-- stand_all does so for all players of a venue.
-- +goose StatementBegin
CREATE FUNCTION stand_all(at_venue text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  DELETE FROM tictactoe.stretches WHERE venue = at_venue;
  DELETE FROM tictactoe.standings WHERE venue = at_venue;
  INSERT INTO tictactoe.standings (venue, computers, player, wins, draws, losses, reached)
    SELECT venue, computers, player, wins, draws, losses, reached FROM tictactoe.sums WHERE venue = at_venue;
  INSERT INTO tictactoe.stretches (venue, computers, first, length)
    SELECT at_venue, computers, CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*) FROM (
      SELECT computers, place, (row_number() OVER (PARTITION BY computers ORDER BY place) - 1) / 1024 AS n
      FROM tictactoe.standings WHERE venue = at_venue) AS numbered
    GROUP BY computers, n;
END
$$;
-- +goose StatementEnd

CREATE TABLE score_resets (
  venue text COLLATE "C" PRIMARY KEY CHECK (venue <> ''),
  at    bigint NOT NULL
);

-- What the matches add up to: what scores has to hold.
CREATE VIEW entries AS
  SELECT venue, player, level,
    count(*) FILTER (WHERE outcome = mark)                       AS wins,
    count(*) FILTER (WHERE outcome = 'draw')                     AS draws,
    count(*) FILTER (WHERE outcome <> mark AND outcome <> 'draw') AS losses,
    coalesce(max(ended) FILTER (WHERE outcome <> 'draw'), 0)     AS reached
  FROM (
    SELECT venue, x_player AS player, coalesce(o_level, '') AS level, 'X' AS mark, outcome, ended
      FROM matches WHERE x_player <> 'left' AND outcome IS NOT NULL
    UNION ALL
    SELECT venue, o_player, coalesce(x_level, ''), 'O', outcome, ended
      FROM matches WHERE o_player <> 'left' AND outcome IS NOT NULL
  ) AS played
  WHERE NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = played.venue AND r.at >= played.ended)
  GROUP BY venue, player, level;

CREATE TABLE boards (
  id              text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  guild           text COLLATE "C" NOT NULL,
  channel         text COLLATE "C" NOT NULL,
  message         text COLLATE "C" NOT NULL,
  token           text COLLATE "C" NOT NULL,
  expires         bigint,
  member          boolean NOT NULL,
  shown           integer NOT NULL DEFAULT 0 CHECK (shown >= 0),
  latest          integer NOT NULL CHECK (latest >= 0),
  mention_ply     integer NOT NULL DEFAULT 0 CHECK (mention_ply >= 0),
  mention_message text COLLATE "C" NOT NULL DEFAULT '',
  locale          text COLLATE "C" NOT NULL DEFAULT '',
  refused         integer NOT NULL DEFAULT 0 CHECK (refused >= 0),
  past_channel    text COLLATE "C" NOT NULL DEFAULT '',
  past_message    text COLLATE "C" NOT NULL DEFAULT '',
  edit            text COLLATE "C" NOT NULL DEFAULT ''
);

CREATE INDEX boards_behind ON boards (id) WHERE shown < latest OR edit <> '';
CREATE INDEX boards_guild  ON boards (guild, refused);

-- The boards carry the version of what they show, so that those that are behind have an index. Whoever inserts a board
-- locks its match and challenge first: a change that is not committed yet would not find the board.
-- +goose StatementBegin
CREATE FUNCTION tell_board() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tictactoe.boards SET latest = NEW.version WHERE id = NEW.id AND latest < NEW.version;
  RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER matches_created    AFTER INSERT            ON matches    FOR EACH ROW EXECUTE FUNCTION tell_board();
CREATE TRIGGER matches_changed    AFTER UPDATE OF version ON matches    FOR EACH ROW EXECUTE FUNCTION tell_board();
CREATE TRIGGER challenges_created AFTER INSERT            ON challenges FOR EACH ROW EXECUTE FUNCTION tell_board();
CREATE TRIGGER challenges_changed AFTER UPDATE OF version ON challenges FOR EACH ROW EXECUTE FUNCTION tell_board();

CREATE TABLE presence (
  part      integer PRIMARY KEY CHECK (part >= 0),
  parts     integer NOT NULL CHECK (parts > part),
  last_seen bigint NOT NULL
);

-- see records that a part was heard then, which goes back only if it is told to. A record of another number of parts is
-- dealt out first: each was seen when the earliest of the old ones was.
-- +goose StatementBegin
CREATE FUNCTION see(of_part integer, of_parts integer, at bigint, back boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  earliest bigint;
BEGIN
  SELECT min(last_seen) INTO earliest FROM tictactoe.presence WHERE parts <> of_parts;
  IF earliest IS NOT NULL THEN
    DELETE FROM tictactoe.presence WHERE parts <> of_parts;
    INSERT INTO tictactoe.presence (part, parts, last_seen)
      SELECT n, of_parts, earliest FROM generate_series(0, of_parts - 1) AS n ON CONFLICT DO NOTHING;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM tictactoe.presence WHERE part = of_part) THEN
    INSERT INTO tictactoe.presence (part, parts, last_seen) VALUES (of_part, of_parts, at) ON CONFLICT DO NOTHING;
  END IF;
  IF back THEN
    UPDATE tictactoe.presence SET last_seen = at WHERE part = of_part;
  ELSE -- every click does so, and whoever finds another at it lets it be: that one is here as well
    UPDATE tictactoe.presence SET last_seen = at WHERE part IN (
      SELECT part FROM tictactoe.presence WHERE part = of_part AND last_seen < at FOR UPDATE SKIP LOCKED);
  END IF;
END
$$;
-- +goose StatementEnd

-- dealt is the number by which a venue is dealt out into parts: its id without the lowest 22 bits, 0 if that is no number.
CREATE FUNCTION dealt(venue text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN venue !~ '^[0-9]{1,19}$' THEN 0
    WHEN venue::numeric > 9223372036854775807 THEN 0
    ELSE venue::bigint >> 22
  END
$$;

-- Times of leases are by the clock of the server: no two bots may have the same.
CREATE TABLE leases (
  name    text COLLATE "C" PRIMARY KEY CHECK (name <> ''),
  holder  text COLLATE "C" NOT NULL CHECK (holder <> ''),
  expires bigint NOT NULL
);

-- claimant is the call that claimed: one that was not answered is made again, and must not take itself for another.
CREATE TABLE claims (
  id       text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  claimant text COLLATE "C" NOT NULL,
  until    bigint NOT NULL
);

CREATE INDEX claims_until ON claims (until);

CREATE TABLE venues (
  id   text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  gone bigint
);

CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;

CREATE TABLE policies (
  venue   text COLLATE "C" PRIMARY KEY CHECK (venue <> ''),
  places  text COLLATE "C" NOT NULL,
  turn_ms bigint CHECK (turn_ms > 0),
  levels  text COLLATE "C" NOT NULL,
  quiet   boolean NOT NULL,
  version integer NOT NULL CHECK (version > 0)
);

CREATE TABLE deeds (
  n      bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id     text COLLATE "C" NOT NULL UNIQUE CHECK (id <> ''),
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  at     bigint NOT NULL,
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'draw', 'void', 'reset')),
  match  text COLLATE "C" CHECK (match <> ''),
  chosen text COLLATE "C" NOT NULL,
  CHECK ((kind IN ('draw', 'void')) = (match IS NOT NULL))
);

CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE INDEX deeds_of    ON deeds (player, n);
