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
  latest          INTEGER NOT NULL CHECK (latest >= 0),            -- the version that it should show, saved with the match
  mention_ply     INTEGER NOT NULL DEFAULT 0 CHECK (mention_ply >= 0),
  mention_message TEXT    NOT NULL DEFAULT '',
  locale          TEXT    NOT NULL DEFAULT '',
  refused         INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), -- how often Discord has refused to draw it
  past_channel    TEXT    NOT NULL DEFAULT '',                     -- the message from which it was moved away
  past_message    TEXT    NOT NULL DEFAULT '',
  edit            TEXT    NOT NULL DEFAULT ''                      -- the edit that may arrive late
) STRICT, WITHOUT ROWID;
CREATE INDEX boards_behind  ON boards (id) WHERE shown < latest OR edit <> '';
CREATE INDEX boards_guild   ON boards (guild);
CREATE INDEX boards_refused ON boards (guild, refused) WHERE refused > 0;

CREATE TABLE challenges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue      TEXT    NOT NULL,
  challenger TEXT    NOT NULL CHECK (challenger <> ''),
  challenged TEXT    NOT NULL CHECK (challenged <> '' AND challenged <> challenger),
  rules      TEXT    NOT NULL,
  first      TEXT    NOT NULL CHECK (first IN ('random', 'me', 'them')),  -- as the challenger sees it
  turn_ms    INTEGER NOT NULL CHECK (turn_ms > 0),
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    INTEGER NOT NULL,
  deadline   INTEGER,
  version    INTEGER NOT NULL CHECK (version > 0),
  casual     INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)),         -- the match is not to be rated
  CHECK ((status = 'pending') = (deadline IS NOT NULL))
) STRICT;
CREATE INDEX challenges_deadline ON challenges (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX challenges_from     ON challenges (challenger, status);
CREATE INDEX challenges_to       ON challenges (challenged, status);
CREATE INDEX challenges_venue    ON challenges (venue);

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
  kind   TEXT    NOT NULL CHECK (kind <> ''),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                             -- a list, as in policies
  undoes TEXT                                          -- the id of another deed, which can be undone once
    CHECK (undoes <> '') CHECK (undoes IS NULL OR kind = 'undo'),
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;
CREATE INDEX deeds_of    ON deeds (player, n);
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX deeds_venue ON deeds (venue, n);

CREATE TABLE emoji (
  application TEXT NOT NULL CHECK (application <> ''),
  id          TEXT NOT NULL CHECK (id <> ''),
  name        TEXT NOT NULL CHECK (name <> ''),
  hash        TEXT NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
  digest TEXT    NOT NULL PRIMARY KEY CHECK (digest <> ''),
  at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name    TEXT    NOT NULL PRIMARY KEY CHECK (name <> ''),
  holder  TEXT    NOT NULL CHECK (holder <> ''),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lessons (
  player TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson TEXT    NOT NULL CHECK (lesson <> ''),
  solved INTEGER NOT NULL, -- when, for the first time
  PRIMARY KEY (player, lesson)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
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
  proposer         TEXT    CHECK (proposer IN ('X', 'O')),  -- NULL against a computer, and where it was not recorded
  -- What the match counts for the ratings of its players, or why it counts nothing; NULL if it is of no ladder.
  stakes           TEXT    CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart')),
  -- The review of each side: the moves with which a win or a draw could be lost, how many of them lost it, and whether the side had only
  -- losing moves and did not lose.
  x_critical       INTEGER CHECK (x_critical >= 0),
  x_errors         INTEGER CHECK (x_errors BETWEEN 0 AND x_critical),
  x_recovered      INTEGER CHECK (x_recovered IN (0, 1)),
  o_critical       INTEGER CHECK (o_critical >= 0),
  o_errors         INTEGER CHECK (o_errors BETWEEN 0 AND o_critical),
  o_recovered      INTEGER CHECK (o_recovered IN (0, 1)),
  reviewed         INTEGER CHECK (reviewed IN (0, 1)),      -- whether all moves could be judged; NULL until that is tried
  -- How a match ended that was voided; NULL if it was still being played.
  voided_outcome   TEXT    CHECK (voided_outcome IN ('X', 'O', 'draw')),
  voided_cause     TEXT,
  helped           INTEGER NOT NULL DEFAULT 0 CHECK (helped IN (0, 1)),  -- the player had a hint against the computer
  plies            INTEGER CHECK (plies >= 0),              -- kept with the review
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
  CHECK (rematch IS NOT 'proposed' OR rematch_by IS NOT NULL),
  CHECK ((reviewed IS 1) = (x_critical IS NOT NULL AND x_errors IS NOT NULL AND x_recovered IS NOT NULL)),
  CHECK ((reviewed IS 1) = (o_critical IS NOT NULL AND o_errors IS NOT NULL AND o_recovered IS NOT NULL)),
  CHECK (CASE
    WHEN voided_cause IS NULL                        THEN voided_outcome IS NULL
    WHEN cause IS NOT 'voided'                       THEN 0
    WHEN voided_cause = 'aborted'                    THEN voided_outcome IS NULL
    WHEN voided_cause = 'no show'                    THEN voided_outcome IS NULL AND proposer IS NOT NULL
    WHEN voided_cause IN ('full board', 'moderator') THEN voided_outcome IS 'draw'
    ELSE voided_cause IN ('line', 'resignation', 'time') AND (voided_outcome IS 'X' OR voided_outcome IS 'O')
  END)
) STRICT;
CREATE INDEX matches_by_accuracy ON matches (venue, ended / 86400000,
    (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical), x_critical + o_critical, ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;
CREATE INDEX matches_by_length ON matches (venue, ended / 86400000, plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_deadline   ON matches (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX matches_of_o       ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_of_x       ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_rated      ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
CREATE INDEX matches_rematch    ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;
CREATE INDEX matches_series     ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended)
  WHERE ended IS NOT NULL;
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
CREATE INDEX matches_venue      ON matches (venue, ended, id);

CREATE TABLE moves (
  match  TEXT    NOT NULL REFERENCES matches (id),
  ply    INTEGER NOT NULL CHECK (ply >= 0),
  square INTEGER NOT NULL CHECK (square >= 0),
  at     INTEGER NOT NULL,
  PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name       TEXT    CHECK (name <> ''),                              -- as last seen
  quiet      INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1)),      -- wants no turn mentions
  closed     INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),     -- takes no challenges
  text_board INTEGER NOT NULL DEFAULT 0 CHECK (text_board IN (0, 1)), -- wants words in place of pictures
  hidden     INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),     -- wants to be named to nobody
  language   TEXT    NOT NULL DEFAULT ''                              -- as Discord names it; empty if none was chosen
) STRICT, WITHOUT ROWID;

CREATE TABLE policies (
  venue    TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  places   TEXT    NOT NULL,                                   -- a list of where matches may begin; everywhere if empty
  turn_ms  INTEGER CHECK (turn_ms > 0),                        -- unless the challenger says otherwise
  levels   TEXT    NOT NULL,                                   -- a list of those on offer; all if empty
  quiet    INTEGER NOT NULL CHECK (quiet IN (0, 1)),           -- no turn is mentioned
  version  INTEGER NOT NULL CHECK (version > 0),
  casual   INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)), -- no match is rated
  off      TEXT    NOT NULL DEFAULT '',                        -- a list of the features that are off
  language TEXT    NOT NULL DEFAULT ''                         -- as Discord names it; empty if none was chosen
, boards TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;

CREATE TABLE presence (
  part      INTEGER NOT NULL PRIMARY KEY CHECK (part >= 0),
  parts     INTEGER NOT NULL CHECK (parts > part),
  last_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE puzzle_attempts (
  player  TEXT    NOT NULL CHECK (player <> ''),
  day     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  presses TEXT    NOT NULL,  -- a letter for each square, "a" for the first, and "!" after each that was wrong
  solved  INTEGER,
  PRIMARY KEY (player, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_listed (
  venue  TEXT NOT NULL CHECK (venue <> ''),
  player TEXT NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX puzzle_listed_of ON puzzle_listed (player);

CREATE TABLE puzzle_posts (
  venue    TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  channel  TEXT    CHECK (channel <> ''),  -- NULL if it is posted nowhere
  next     INTEGER NOT NULL,               -- the first day that no bot has set about
  claimed  INTEGER,                        -- when a bot set about the day before that, until the result is known
  closed   TEXT    CHECK (closed <> ''),   -- the channel that was closed to the bot
  language TEXT    NOT NULL DEFAULT '',    -- of the post; empty if it is not known
  CHECK (closed IS NULL OR channel IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;
CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;

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
CREATE INDEX rated_met    ON rated (player, opponent, venue, rules, at) WHERE met;
CREATE INDEX rated_upsets ON rated (venue, at / 86400000, other_value - value) WHERE score = 1 AND other_value - value > 0;

CREATE TABLE recounts (
  venue  TEXT NOT NULL,
  player TEXT NOT NULL,
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX recounts_player ON recounts (player);

CREATE TABLE replays (
  venue TEXT    NOT NULL,
  rules TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  match TEXT    NOT NULL,
  PRIMARY KEY (venue, rules)
) STRICT, WITHOUT ROWID;

CREATE TABLE score_resets (
  venue TEXT    NOT NULL CHECK (venue <> ''),
  at    INTEGER NOT NULL,
  id    TEXT    NOT NULL,
  PRIMARY KEY (venue, at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE scores (
  venue      TEXT    NOT NULL,
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  season     INTEGER NOT NULL,
  rules      TEXT    NOT NULL,
  level      TEXT    NOT NULL,  -- of the computer played against; empty against people
  wins       INTEGER NOT NULL CHECK (wins >= 0),
  draws      INTEGER NOT NULL CHECK (draws >= 0),
  losses     INTEGER NOT NULL CHECK (losses >= 0),
  reached    INTEGER NOT NULL,  -- when wins and losses last changed; 0 while there are only draws
  -- Against the computer: the first win, the win with the fewest moves of one's own, and the run of draws against the level that
  -- never loses: its length, the longest one, and when the latest match of it ended.
  beaten     INTEGER,
  fewest     INTEGER NOT NULL DEFAULT 0,
  fewest_at  INTEGER,
  run        INTEGER NOT NULL DEFAULT 0,
  longest    INTEGER NOT NULL DEFAULT 0,
  longest_at INTEGER,
  latest     INTEGER,
  PRIMARY KEY (venue, player, season, rules, level),
  CHECK ((reached = 0) = (wins + losses = 0))
) STRICT, WITHOUT ROWID;
CREATE INDEX scores_player ON scores (player, venue);

CREATE TABLE seasons (
  venue     TEXT    NOT NULL CHECK (venue <> ''),
  number    INTEGER NOT NULL CHECK (number > 0),
  name      TEXT    CHECK (name <> ''),      -- NULL after a planned end, until a moderator begins another season
  began     INTEGER NOT NULL,                -- matches that ended later are of this season
  ends      INTEGER,                         -- the planned end
  ended     INTEGER CHECK (ended >= began),  -- when the next one began
  player    TEXT    CHECK (player <> ''),    -- who began it; NULL after a planned end
  channel   TEXT    CHECK (channel <> ''),   -- where its champions are to be posted
  announced INTEGER,                         -- when a bot set about posting them
  language  TEXT    NOT NULL DEFAULT '',     -- of the post; empty if it is not known
  PRIMARY KEY (venue, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;
CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_of       ON seasons (player);

CREATE TABLE sessions (
  shard    INTEGER NOT NULL PRIMARY KEY CHECK (shard >= 0),
  shards   INTEGER NOT NULL CHECK (shards > shard),
  id       TEXT    NOT NULL CHECK (id <> ''),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  token    TEXT    NOT NULL,
  saved    INTEGER NOT NULL
) STRICT;

CREATE TABLE standings (
  venue       TEXT    NOT NULL CHECK (venue <> ''),
  player      TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  place       TEXT    NOT NULL,
  value       REAL,
  deviation   REAL,
  volatility  REAL,
  at          INTEGER,
  wins        INTEGER,
  draws       INTEGER,
  losses      INTEGER,
  opponents   INTEGER,
  PRIMARY KEY (venue, player, season, rules, leaderboard)
) STRICT, WITHOUT ROWID;
CREATE INDEX standings_place ON standings (venue, season, rules, leaderboard, place);

CREATE TABLE venues (
  id   TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  gone INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;
