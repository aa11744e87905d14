-- +goose Up

-- This is the schema as of commit 39a184c5. sqlite/00032_schema.sql explains the tables and columns; a column has the same meaning
-- in both databases. Texts are compared byte by byte.

CREATE TABLE players (
  id         text COLLATE "C" NOT NULL CHECK (id <> ''),
  name       text COLLATE "C" CHECK (name <> ''),
  quiet      boolean NOT NULL DEFAULT false,
  closed     boolean NOT NULL DEFAULT false,
  text_board boolean NOT NULL DEFAULT false,
  hidden     boolean NOT NULL DEFAULT false,
  language   text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (id) INCLUDE (name, hidden) -- a page of a leaderboard reads only the index
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

-- held_by names the bot that holds the deadline, until held_until. Any change of the row ends the hold.
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
  casual     boolean NOT NULL DEFAULT false,
  CHECK ((status = 'pending') = (deadline IS NOT NULL)),
  CHECK ((held_by IS NULL) = (held_until IS NULL))
);

CREATE INDEX challenges_from     ON challenges (challenger, status);
CREATE INDEX challenges_to       ON challenges (challenged, status);
CREATE INDEX challenges_venue    ON challenges (venue);
CREATE INDEX challenges_deadline ON challenges (deadline DESC, id) WHERE deadline IS NOT NULL;

-- The functions is_match, is_board and is_rated check the constraints of the tables matches, boards and rated. Postgres parses the
-- text of every CHECK of a table again for each statement that writes a row, which took longer than the rest of saving a move; it
-- parses a function once for each connection.
-- +goose StatementBegin
CREATE FUNCTION is_match(id text, series text, x_player text, x_level text, o_player text, o_level text, turn_ms bigint,
  deadline bigint, outcome text, cause text, voided_outcome text, voided_cause text, rematch text, rematch_by text,
  rematch_deadline bigint, rematch_next text, ended bigint, version integer, proposer text, stakes text,
  reviewed boolean, x_critical integer, x_errors integer, x_recovered boolean, o_critical integer, o_errors integer,
  o_recovered boolean, held_by text, held_until bigint)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND series <> '' AND turn_ms > 0 AND version > 0
    AND coalesce(x_player <> '', true) AND coalesce(x_level <> '', true) AND (x_player IS NULL) <> (x_level IS NULL)
    AND coalesce(o_player <> '', true) AND coalesce(o_level <> '', true) AND (o_player IS NULL) <> (o_level IS NULL)
    AND coalesce(x_player <> o_player, true)
    AND coalesce(proposer IN ('X', 'O'), true)
    AND coalesce(outcome IN ('X', 'O', 'draw'), true)
    AND coalesce(cause IN ('line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided', 'no show'), true)
    AND (cause IS NULL) = (ended IS NULL) AND (cause IS NULL) = (deadline IS NOT NULL)
    AND CASE
      WHEN cause IS NULL OR cause IN ('aborted', 'voided') THEN outcome IS NULL
      WHEN cause = 'no show'                               THEN outcome IS NULL AND proposer IS NOT NULL
      WHEN cause IN ('full board', 'moderator')            THEN coalesce(outcome = 'draw', false)
      ELSE coalesce(outcome IN ('X', 'O'), false)
    END
    AND coalesce(rematch IN ('proposed', 'declined', 'expired', 'started'), true)
    AND coalesce(rematch_by <> '', true) AND coalesce(rematch_next <> '', true)
    AND (rematch IS NULL OR cause IS NOT NULL)
    AND coalesce(rematch = 'proposed', false) = (rematch_deadline IS NOT NULL)
    AND coalesce(rematch = 'started', false) = (rematch_next IS NOT NULL)
    AND (coalesce(rematch <> 'proposed', true) OR rematch_by IS NOT NULL)
    AND (held_by IS NULL) = (held_until IS NULL)
    AND coalesce(stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart'), true)
    AND CASE
      WHEN voided_cause IS NULL                        THEN voided_outcome IS NULL
      WHEN coalesce(cause <> 'voided', true)           THEN false
      WHEN voided_cause = 'aborted'                    THEN voided_outcome IS NULL
      WHEN voided_cause = 'no show'                    THEN voided_outcome IS NULL AND proposer IS NOT NULL
      WHEN voided_cause IN ('full board', 'moderator') THEN coalesce(voided_outcome = 'draw', false)
      ELSE voided_cause IN ('line', 'resignation', 'time') AND coalesce(voided_outcome IN ('X', 'O'), false)
    END
    AND CASE
      WHEN coalesce(reviewed, false)
        THEN coalesce(x_errors >= 0 AND x_errors <= x_critical AND o_errors >= 0 AND o_errors <= o_critical, false)
        AND x_recovered IS NOT NULL AND o_recovered IS NOT NULL
      ELSE coalesce(x_critical, x_errors, o_critical, o_errors) IS NULL AND coalesce(x_recovered, o_recovered) IS NULL
    END;
END
$$;
-- +goose StatementEnd

-- due is the only deadline of a match, for a turn or for a rematch. slot is the same deadline in steps of 65,536 ms. It is indexed
-- in place of due: an UPDATE that changes no indexed column writes to no index, and most moves leave slot unchanged, because they
-- are made within a minute of the previous move.
CREATE TABLE matches (
  id               text COLLATE "C" PRIMARY KEY,
  series           text COLLATE "C" NOT NULL,
  venue            text COLLATE "C" NOT NULL,
  rules            text COLLATE "C" NOT NULL,
  x_player         text COLLATE "C",
  x_level          text COLLATE "C",
  o_player         text COLLATE "C",
  o_level          text COLLATE "C",
  turn_ms          bigint NOT NULL,
  deadline         bigint,
  outcome          text COLLATE "C",
  cause            text COLLATE "C",
  rematch          text COLLATE "C",
  rematch_by       text COLLATE "C",
  rematch_deadline bigint,
  rematch_next     text COLLATE "C",
  created          bigint NOT NULL,
  ended            bigint,
  version          integer NOT NULL,
  due              bigint GENERATED ALWAYS AS (coalesce(deadline, rematch_deadline)) STORED,
  held_by          text COLLATE "C",
  held_until       bigint,
  proposer         text COLLATE "C",
  stakes           text COLLATE "C",
  x_critical       integer,
  x_errors         integer,
  x_recovered      boolean,
  o_critical       integer,
  o_errors         integer,
  o_recovered      boolean,
  reviewed         boolean,
  slot             bigint GENERATED ALWAYS AS (coalesce(deadline, rematch_deadline) >> 16) STORED,
  voided_outcome   text COLLATE "C",
  voided_cause     text COLLATE "C",
  helped           boolean NOT NULL DEFAULT false,
  plies            integer CHECK (plies >= 0),
  CONSTRAINT is_match CHECK (is_match(id, series, x_player, x_level, o_player, o_level, turn_ms,
    deadline, outcome, cause, voided_outcome, voided_cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version,
    proposer, stakes, reviewed, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered, held_by, held_until))
) WITH (fillfactor = 80);

CREATE INDEX matches_of_x       ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o       ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_series     ON matches (series) WHERE ended IS NOT NULL;
CREATE INDEX matches_venue      ON matches (venue, ended, id);
CREATE INDEX matches_slot       ON matches (slot) WHERE slot IS NOT NULL;
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
CREATE INDEX matches_by_length  ON matches (venue, (ended / 86400000), plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_by_accuracy ON matches (venue, (ended / 86400000),
    ((x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical)), (x_critical + o_critical), ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;

-- The primary key is the last safeguard against two moves of the same ply.
CREATE TABLE moves (
  match  text COLLATE "C" NOT NULL REFERENCES matches (id),
  ply    integer NOT NULL CHECK (ply >= 0),
  square integer NOT NULL CHECK (square >= 0),
  at     bigint NOT NULL,
  PRIMARY KEY (match, ply)
);

-- +goose StatementBegin
CREATE FUNCTION is_board(id text, shown integer, latest integer, mention_ply integer, refused integer)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN id <> '' AND shown >= 0 AND latest >= 0 AND mention_ply >= 0 AND refused >= 0;
END
$$;
-- +goose StatementEnd

-- A transaction that inserts a board first locks its match and challenge: otherwise a concurrent change of the match, not yet
-- committed, would not find the board.
CREATE TABLE boards (
  id              text COLLATE "C" PRIMARY KEY,
  guild           text COLLATE "C" NOT NULL,
  channel         text COLLATE "C" NOT NULL,
  message         text COLLATE "C" NOT NULL,
  token           text COLLATE "C" NOT NULL,
  expires         bigint,
  member          boolean NOT NULL,
  shown           integer NOT NULL DEFAULT 0,
  latest          integer NOT NULL,
  mention_ply     integer NOT NULL DEFAULT 0,
  mention_message text COLLATE "C" NOT NULL DEFAULT '',
  locale          text COLLATE "C" NOT NULL DEFAULT '',
  refused         integer NOT NULL DEFAULT 0,
  past_channel    text COLLATE "C" NOT NULL DEFAULT '',
  past_message    text COLLATE "C" NOT NULL DEFAULT '',
  edit            text COLLATE "C" NOT NULL DEFAULT '',
  CONSTRAINT is_board CHECK (is_board(id, shown, latest, mention_ply, refused))
) WITH (fillfactor = 80);

CREATE INDEX boards_behind ON boards (id) WHERE shown < latest OR edit <> '';
CREATE INDEX boards_guild  ON boards (guild, refused);

CREATE TABLE asides (
  board   text COLLATE "C" NOT NULL CHECK (board <> ''),
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  token   text COLLATE "C" NOT NULL CHECK (token <> ''),
  message text COLLATE "C" NOT NULL CHECK (message <> ''),
  expires bigint NOT NULL,
  PRIMARY KEY (board, player)
);

CREATE INDEX asides_of     ON asides (player);
CREATE INDEX asides_expire ON asides (expires);

CREATE TABLE venues (
  id   text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  gone bigint
);

CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;

CREATE TABLE policies (
  venue    text COLLATE "C" PRIMARY KEY CHECK (venue <> ''),
  places   text COLLATE "C" NOT NULL,
  turn_ms  bigint CHECK (turn_ms > 0),
  levels   text COLLATE "C" NOT NULL,
  quiet    boolean NOT NULL,
  version  integer NOT NULL CHECK (version > 0),
  casual   boolean NOT NULL DEFAULT false,
  off      text COLLATE "C" NOT NULL DEFAULT '',
  language text COLLATE "C" NOT NULL DEFAULT ''
);

CREATE TABLE deeds (
  n      bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id     text COLLATE "C" NOT NULL UNIQUE CHECK (id <> ''),
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  at     bigint NOT NULL,
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'features', 'daily',
                                                   'language', 'draw', 'void', 'reset', 'season', 'undo')),
  match  text COLLATE "C" CHECK (match <> ''),
  chosen text COLLATE "C" NOT NULL,
  undoes text COLLATE "C" CHECK (undoes <> ''),
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL)),
  CHECK (undoes IS NULL OR kind = 'undo')
);

CREATE INDEX deeds_of    ON deeds (player, n);
CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE seasons (
  venue     text COLLATE "C" NOT NULL CHECK (venue <> ''),
  number    integer NOT NULL CHECK (number > 0),
  name      text COLLATE "C" CHECK (name <> ''),
  began     bigint NOT NULL,
  ends      bigint,
  ended     bigint,
  player    text COLLATE "C" CHECK (player <> ''),
  channel   text COLLATE "C" CHECK (channel <> ''),
  announced bigint,
  language  text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (venue, number),
  CHECK (ended >= began)
);

CREATE INDEX seasons_of       ON seasons (player);
CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;

CREATE TABLE scores (
  venue      text COLLATE "C" NOT NULL,
  player     text COLLATE "C" NOT NULL,
  season     integer NOT NULL,
  rules      text COLLATE "C" NOT NULL,
  level      text COLLATE "C" NOT NULL,
  wins       integer NOT NULL,
  draws      integer NOT NULL,
  losses     integer NOT NULL,
  reached    bigint NOT NULL,
  beaten     bigint,
  fewest     integer NOT NULL DEFAULT 0,
  fewest_at  bigint,
  run        integer NOT NULL DEFAULT 0,
  longest    integer NOT NULL DEFAULT 0,
  longest_at bigint,
  latest     bigint,
  PRIMARY KEY (venue, player, season, rules, level),
  CONSTRAINT is_score CHECK (
    player NOT IN ('', 'left') AND wins >= 0 AND draws >= 0 AND losses >= 0 AND (reached = 0) = (wins + losses = 0))
);

CREATE INDEX scores_player ON scores (player, venue);

CREATE TABLE recounts (
  venue  text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, player)
);

CREATE INDEX recounts_player ON recounts (player);

CREATE TABLE score_resets (
  venue text COLLATE "C" NOT NULL CHECK (venue <> ''),
  at    bigint NOT NULL,
  id    text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, at, id)
);

-- +goose StatementBegin
CREATE FUNCTION is_rated(venue text, rules text, player text, opponent text, score double precision, weight double precision)
  RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN venue <> '' AND rules <> '' AND player NOT IN ('', 'left') AND opponent NOT IN ('', player)
    AND score IN (0, 0.5, 1) AND weight IN (0.5, 1);
END
$$;
-- +goose StatementEnd

CREATE TABLE rated (
  venue           text COLLATE "C" NOT NULL,
  rules           text COLLATE "C" NOT NULL,
  player          text COLLATE "C" NOT NULL,
  at              bigint NOT NULL,
  match           text COLLATE "C" NOT NULL,
  opponent        text COLLATE "C" NOT NULL,
  score           double precision NOT NULL,
  weight          double precision NOT NULL,
  met             boolean NOT NULL,
  other_value     double precision NOT NULL,
  other_deviation double precision NOT NULL,
  value           double precision NOT NULL,
  deviation       double precision NOT NULL,
  volatility      double precision NOT NULL,
  wins            integer NOT NULL,
  draws           integer NOT NULL,
  losses          integer NOT NULL,
  opponents       integer NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match),
  CONSTRAINT is_rated CHECK (is_rated(venue, rules, player, opponent, score, weight))
);

CREATE INDEX rated_in_order ON rated (venue, rules, at, match);
CREATE INDEX rated_met      ON rated (player, opponent, venue, rules, at) WHERE met;
CREATE INDEX rated_upsets   ON rated (venue, (at / 86400000), (other_value - value)) WHERE score = 1 AND other_value - value > 0;

CREATE TABLE replays (
  venue text COLLATE "C" NOT NULL,
  rules text COLLATE "C" NOT NULL,
  at    bigint NOT NULL,
  match text COLLATE "C" NOT NULL,
  PRIMARY KEY (venue, rules)
);

CREATE TABLE standings (
  venue       text COLLATE "C" NOT NULL CONSTRAINT standings_venue_check1 CHECK (venue <> ''),
  player      text COLLATE "C" NOT NULL,
  season      integer NOT NULL,
  rules       text COLLATE "C" NOT NULL,
  leaderboard text COLLATE "C" NOT NULL,
  place       text COLLATE "C" NOT NULL,
  value       double precision,
  deviation   double precision,
  volatility  double precision,
  at          bigint,
  wins        integer,
  draws       integer,
  losses      integer,
  opponents   integer,
  PRIMARY KEY (venue, player, season, rules, leaderboard)
);

CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place)
  INCLUDE (player, value, deviation, volatility, at, wins, draws, losses, opponents);

CREATE TABLE rank_buckets (
  venue       text COLLATE "C" NOT NULL,
  season      integer NOT NULL,
  rules       text COLLATE "C" NOT NULL,
  leaderboard text COLLATE "C" NOT NULL,
  level       integer NOT NULL,
  first       text COLLATE "C" NOT NULL,
  length      integer NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, level, first)
);

CREATE TABLE lessons (
  player text COLLATE "C" NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson text COLLATE "C" NOT NULL CHECK (lesson <> ''),
  solved bigint NOT NULL,
  PRIMARY KEY (player, lesson)
);

CREATE TABLE puzzle_attempts (
  player  text COLLATE "C" NOT NULL CHECK (player <> ''),
  day     integer NOT NULL,
  started bigint NOT NULL,
  presses text COLLATE "C" NOT NULL,
  solved  bigint,
  PRIMARY KEY (player, day)
);

CREATE TABLE puzzle_listed (
  venue  text COLLATE "C" NOT NULL CHECK (venue <> ''),
  player text COLLATE "C" NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
);

CREATE INDEX puzzle_listed_of ON puzzle_listed (player);

CREATE TABLE puzzle_posts (
  venue    text COLLATE "C" PRIMARY KEY CHECK (venue <> ''),
  channel  text COLLATE "C" CHECK (channel <> ''),
  next     integer NOT NULL,
  claimed  bigint,
  closed   text COLLATE "C" CHECK (closed <> ''),
  language text COLLATE "C" NOT NULL DEFAULT '',
  CHECK (closed IS NULL OR channel IS NULL)
);

CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;

CREATE TABLE emoji (
  application text COLLATE "C" NOT NULL CHECK (application <> ''),
  id          text COLLATE "C" NOT NULL CHECK (id <> ''),
  name        text COLLATE "C" NOT NULL CHECK (name <> ''),
  hash        text COLLATE "C" NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
);

CREATE TABLE presence (
  part      integer PRIMARY KEY CHECK (part >= 0),
  parts     integer NOT NULL CHECK (parts > part),
  last_seen bigint NOT NULL
);

-- see records the time at which the players of a partition were last heard. The time goes back only if "back" is true. If the table
-- has rows for another number of partitions, they are replaced first: each new partition gets the earliest of the old times.
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
  ELSE -- if another transaction has locked the row, it also records that players were heard, so this one skips the update
    UPDATE tictactoe.presence SET last_seen = at WHERE part IN (
      SELECT part FROM tictactoe.presence WHERE part = of_part AND last_seen < at FOR UPDATE SKIP LOCKED);
  END IF;
END
$$;
-- +goose StatementEnd

-- dealt returns the number that decides the partition of a venue: the venue's id without its lowest 22 bits, or 0 if the id is not
-- a number.
CREATE FUNCTION dealt(venue text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN venue !~ '^[0-9]{1,19}$' THEN 0
    WHEN venue::numeric > 9223372036854775807 THEN 0
    ELSE venue::bigint >> 22
  END
$$;

-- The times of leases come from the clock of the database server, because the clocks of two bots may differ.
CREATE TABLE leases (
  name    text COLLATE "C" PRIMARY KEY CHECK (name <> ''),
  holder  text COLLATE "C" NOT NULL CHECK (holder <> ''),
  expires bigint NOT NULL
);

-- claimant identifies the call that made the claim. A call that got no answer is repeated, and must recognise its own claim.
CREATE TABLE claims (
  id       text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  claimant text COLLATE "C" NOT NULL,
  until    bigint NOT NULL
);

CREATE INDEX claims_until ON claims (until);

CREATE TABLE sessions (
  shard    integer PRIMARY KEY CHECK (shard >= 0),
  shards   integer NOT NULL CHECK (shards > shard),
  id       text COLLATE "C" NOT NULL CHECK (id <> ''),
  sequence bigint NOT NULL CHECK (sequence > 0),
  token    text COLLATE "C" NOT NULL,
  saved    bigint NOT NULL
);
