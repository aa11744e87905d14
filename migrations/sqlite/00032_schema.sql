-- +goose Up

-- This is the schema as of commit 39a184c5. Times are in Unix milliseconds, durations in milliseconds; ids are opaque texts. NULL
-- means "not set". An empty text also means "not set" in the column venue (a match in direct messages), in the table boards
-- (Discord has not yet sent the value), and where the comment of a column says so.

-- players holds the users whom the bot has met, and their settings.
CREATE TABLE players (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name       TEXT    CHECK (name <> ''),                              -- the display name that was seen last
  quiet      INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1)),      -- the player wants no turn mentions
  closed     INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),     -- the player accepts no challenges
  text_board INTEGER NOT NULL DEFAULT 0 CHECK (text_board IN (0, 1)), -- the player wants words in place of pictures
  hidden     INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),     -- no profile or leaderboard shows the player
  language   TEXT    NOT NULL DEFAULT ''                              -- as Discord names it; empty if none was chosen
) STRICT, WITHOUT ROWID;

-- blocks holds the users whom a player has blocked. After a user's data was deleted, the user's id in blocks and back_offs is
-- replaced by a hash of both ids, which can be recognised but not read.
CREATE TABLE blocks (
  player  TEXT NOT NULL CHECK (player <> ''),
  blocked TEXT NOT NULL CHECK (blocked <> '' AND blocked <> player),
  PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_of ON blocks (blocked);

-- back_offs holds the challengers who must leave a player alone for a while.
CREATE TABLE back_offs (
  player     TEXT    NOT NULL CHECK (player <> ''),
  challenger TEXT    NOT NULL CHECK (challenger <> '' AND challenger <> player),
  weight     INTEGER NOT NULL CHECK (weight > 0),
  until      INTEGER NOT NULL,
  PRIMARY KEY (player, challenger)
) STRICT, WITHOUT ROWID;

CREATE INDEX back_offs_of    ON back_offs (challenger);
CREATE INDEX back_offs_until ON back_offs (until);

CREATE TABLE challenges (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  venue      TEXT    NOT NULL,
  challenger TEXT    NOT NULL CHECK (challenger <> ''),
  challenged TEXT    NOT NULL CHECK (challenged <> '' AND challenged <> challenger),
  rules      TEXT    NOT NULL,
  first      TEXT    NOT NULL CHECK (first IN ('random', 'me', 'them')),  -- who moves first, as the challenger sees it
  turn_ms    INTEGER NOT NULL CHECK (turn_ms > 0),
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created    INTEGER NOT NULL,
  deadline   INTEGER,
  version    INTEGER NOT NULL CHECK (version > 0),
  casual     INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)),         -- the match will not be rated
  CHECK ((status = 'pending') = (deadline IS NOT NULL))
) STRICT;

CREATE INDEX challenges_from     ON challenges (challenger, status);
CREATE INDEX challenges_to       ON challenges (challenged, status);
CREATE INDEX challenges_venue    ON challenges (venue);
CREATE INDEX challenges_deadline ON challenges (deadline) WHERE deadline IS NOT NULL;

-- matches has no columns for the position, the side to move or the ply, because these follow from the moves.
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
  proposer         TEXT    CHECK (proposer IN ('X', 'O')),  -- NULL against a computer, and if it was not recorded
  -- How much the match counts for its players' ratings, or the reason why it does not count; NULL if it belongs to no ladder.
  stakes           TEXT    CHECK (stakes IN ('full', 'half', 'casual', 'unranked', 'too often', 'too far apart')),
  -- The review of each side: the number of critical moves, the number of critical moves that were errors, and whether the side made
  -- a comeback.
  x_critical       INTEGER CHECK (x_critical >= 0),
  x_errors         INTEGER CHECK (x_errors BETWEEN 0 AND x_critical),
  x_recovered      INTEGER CHECK (x_recovered IN (0, 1)),
  o_critical       INTEGER CHECK (o_critical >= 0),
  o_errors         INTEGER CHECK (o_errors BETWEEN 0 AND o_critical),
  o_recovered      INTEGER CHECK (o_recovered IN (0, 1)),
  reviewed         INTEGER CHECK (reviewed IN (0, 1)),      -- whether all moves could be judged; NULL before the review
  -- The result of a voided match before it was voided; NULL if it was still running.
  voided_outcome   TEXT    CHECK (voided_outcome IN ('X', 'O', 'draw')),
  voided_cause     TEXT,
  helped           INTEGER NOT NULL DEFAULT 0 CHECK (helped IN (0, 1)),  -- a player got a hint against the computer
  plies            INTEGER CHECK (plies >= 0),              -- stored with the review
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

CREATE INDEX matches_of_x       ON matches (x_player, ended) WHERE x_player IS NOT NULL;
CREATE INDEX matches_of_o       ON matches (o_player, ended) WHERE o_player IS NOT NULL;
CREATE INDEX matches_series     ON matches (series, x_player, x_level, o_player, o_level, outcome, cause, ended)
  WHERE ended IS NOT NULL;
CREATE INDEX matches_venue      ON matches (venue, ended, id);
CREATE INDEX matches_deadline   ON matches (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX matches_rematch    ON matches (rematch_deadline) WHERE rematch_deadline IS NOT NULL;
CREATE INDEX matches_unreviewed ON matches (ended, id) WHERE outcome IS NOT NULL AND reviewed IS NULL;
-- This index lists the matches of a ladder in order. It has one row for each match, whereas an index of the table rated would have
-- two.
CREATE INDEX matches_rated      ON matches (venue, rules, ended, id) WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL;
-- These indexes list, by day, the matches between people that are worth seeing: the shortest and the longest matches that were
-- played to the end, and those with the fewest errors.
CREATE INDEX matches_by_length ON matches (venue, ended / 86400000, plies, ended DESC, cause)
  WHERE outcome IS NOT NULL AND plies IS NOT NULL AND x_player IS NOT NULL AND o_player IS NOT NULL AND cause IN ('line', 'full board');
CREATE INDEX matches_by_accuracy ON matches (venue, ended / 86400000,
    (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical), x_critical + o_critical, ended)
  WHERE outcome IS NOT NULL AND x_critical + o_critical >= 4 AND x_player IS NOT NULL AND o_player IS NOT NULL;

-- The primary key is the last safeguard against two moves of the same ply.
CREATE TABLE moves (
  match  TEXT    NOT NULL REFERENCES matches (id),
  ply    INTEGER NOT NULL CHECK (ply >= 0),
  square INTEGER NOT NULL CHECK (square >= 0),
  at     INTEGER NOT NULL,
  PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;

-- boards holds the messages that show a challenge and later its match.
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
  past_channel    TEXT    NOT NULL DEFAULT '',                     -- the channel of the board's previous message
  past_message    TEXT    NOT NULL DEFAULT '',
  edit            TEXT    NOT NULL DEFAULT ''                      -- the edit that was begun and may still arrive
) STRICT, WITHOUT ROWID;

CREATE INDEX boards_behind  ON boards (id) WHERE shown < latest OR edit <> '';
CREATE INDEX boards_guild   ON boards (guild);
-- The index holds only refused boards, so a click on any other board, which would reset the count of refusals, writes to no index.
CREATE INDEX boards_refused ON boards (guild, refused) WHERE refused > 0;

-- asides holds the private lines that players have under boards. Each row has the token that allows the bot to edit and delete the
-- line until the token expires.
CREATE TABLE asides (
  board   TEXT    NOT NULL CHECK (board <> ''),
  player  TEXT    NOT NULL CHECK (player <> ''),
  token   TEXT    NOT NULL CHECK (token <> ''),
  message TEXT    NOT NULL CHECK (message <> ''), -- the message's id, or @original
  expires INTEGER NOT NULL,
  PRIMARY KEY (board, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX asides_of     ON asides (player);
CREATE INDEX asides_expire ON asides (expires);

-- venues holds the servers that the bot is in, or has left.
CREATE TABLE venues (
  id   TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  gone INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX venues_gone ON venues (gone) WHERE gone IS NOT NULL;

-- policies holds the settings of servers. A list is a text of words separated by spaces, because it is always read and replaced as
-- a whole.
CREATE TABLE policies (
  venue    TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  places   TEXT    NOT NULL,                                   -- a list of the channels in which matches may begin; all if empty
  turn_ms  INTEGER CHECK (turn_ms > 0),                        -- the default turn time of the server
  levels   TEXT    NOT NULL,                                   -- a list of the levels that the server offers; all if empty
  quiet    INTEGER NOT NULL CHECK (quiet IN (0, 1)),           -- nobody gets turn mentions
  version  INTEGER NOT NULL CHECK (version > 0),
  casual   INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1)), -- no match is rated
  off      TEXT    NOT NULL DEFAULT '',                        -- a list of the features that are switched off
  language TEXT    NOT NULL DEFAULT ''                         -- as Discord names it; empty if none was chosen
) STRICT, WITHOUT ROWID;

-- deeds holds the latest actions of each server's moderators.
CREATE TABLE deeds (
  n      INTEGER NOT NULL PRIMARY KEY,
  id     TEXT    NOT NULL UNIQUE CHECK (id <> ''), -- the id of the request
  venue  TEXT    NOT NULL CHECK (venue <> ''),
  player TEXT    NOT NULL CHECK (player <> ''),
  at     INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('places', 'clock', 'levels', 'mentions', 'profiles', 'ratings', 'features', 'daily', 'language',
                                          'draw', 'void', 'reset', 'season', 'undo')),
  match  TEXT    CHECK (match <> ''),
  chosen TEXT    NOT NULL,                         -- a list, as in policies
  undoes TEXT    CHECK (undoes <> ''),             -- the id of another deed, which can be undone once
  CHECK (undoes IS NULL OR kind = 'undo'),
  CHECK (kind = 'undo' OR (kind IN ('draw', 'void')) = (match IS NOT NULL))
) STRICT;

CREATE INDEX deeds_of    ON deeds (player, n);
CREATE INDEX deeds_venue ON deeds (venue, n);
CREATE UNIQUE INDEX deeds_undoes ON deeds (undoes) WHERE undoes IS NOT NULL;

-- seasons holds the seasons of servers. Matches before a server's first season belong to season 0, which has no row.
CREATE TABLE seasons (
  venue     TEXT    NOT NULL CHECK (venue <> ''),
  number    INTEGER NOT NULL CHECK (number > 0),
  name      TEXT    CHECK (name <> ''),      -- NULL after a planned end, until a moderator begins another season
  began     INTEGER NOT NULL,                -- matches that ended later belong to this season
  ends      INTEGER,                         -- the planned end
  ended     INTEGER CHECK (ended >= began),  -- when the next season began
  player    TEXT    CHECK (player <> ''),    -- the moderator who began it; NULL after a planned end
  channel   TEXT    CHECK (channel <> ''),   -- the channel for the post of its champions
  announced INTEGER,                         -- when a bot began to post its champions
  language  TEXT    NOT NULL DEFAULT '',     -- of the post; empty if it is not known
  PRIMARY KEY (venue, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX seasons_of       ON seasons (player);
CREATE INDEX seasons_end      ON seasons (ends) WHERE ended IS NULL AND ends IS NOT NULL;
CREATE INDEX seasons_announce ON seasons (ended) WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL;

-- scores holds the sums over the ended matches of a season, for one rule set or, with empty rules, for all rule sets together. A
-- match that ends updates its scores, and scores can always be recounted from the matches.
CREATE TABLE scores (
  venue      TEXT    NOT NULL,
  player     TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  season     INTEGER NOT NULL,
  rules      TEXT    NOT NULL,
  level      TEXT    NOT NULL,  -- the level of the computer; empty against people
  wins       INTEGER NOT NULL CHECK (wins >= 0),
  draws      INTEGER NOT NULL CHECK (draws >= 0),
  losses     INTEGER NOT NULL CHECK (losses >= 0),
  reached    INTEGER NOT NULL,  -- when wins and losses last changed; 0 while there are only draws
  -- Only against the computer: the first win, the number of the player's moves in the shortest win, and the run of draws against
  -- the level "unbeatable": its length, the longest run, and the end of the latest match in it.
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

-- recounts holds the players whose scores must be recounted from the matches.
CREATE TABLE recounts (
  venue  TEXT NOT NULL,
  player TEXT NOT NULL,
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX recounts_player ON recounts (player);

-- score_resets holds the times from which the scores of a server count. The id is the id of the audit entry; it is empty if the
-- entry no longer exists.
CREATE TABLE score_resets (
  venue TEXT    NOT NULL CHECK (venue <> ''),
  at    INTEGER NOT NULL,
  id    TEXT    NOT NULL,
  PRIMARY KEY (venue, at, id)
) STRICT, WITHOUT ROWID;

-- rated holds the rated matches of each player, with the player's rating after each. The matches of one venue and one rule set form
-- a ladder.
CREATE TABLE rated (
  venue           TEXT    NOT NULL CHECK (venue <> ''),
  rules           TEXT    NOT NULL CHECK (rules <> ''),
  player          TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  at              INTEGER NOT NULL, -- when the match ended
  match           TEXT    NOT NULL,
  opponent        TEXT    NOT NULL CHECK (opponent NOT IN ('', player)),
  score           REAL    NOT NULL CHECK (score IN (0, 0.5, 1)),
  weight          REAL    NOT NULL CHECK (weight IN (0.5, 1)),
  met             INTEGER NOT NULL CHECK (met IN (0, 1)), -- whether it was the first match with this opponent
  -- The opponent's rating that this match was rated against.
  other_value     REAL    NOT NULL,
  other_deviation REAL    NOT NULL,
  -- The player's rating after the match, and the number of the player's matches so far.
  value           REAL    NOT NULL,
  deviation       REAL    NOT NULL,
  volatility      REAL    NOT NULL,
  wins            INTEGER NOT NULL,
  draws           INTEGER NOT NULL,
  losses          INTEGER NOT NULL,
  opponents       INTEGER NOT NULL,
  PRIMARY KEY (venue, rules, player, at, match)
) STRICT, WITHOUT ROWID;

-- The index holds only the first match of each pair of players, so most matches do not write to it.
CREATE INDEX rated_met    ON rated (player, opponent, venue, rules, at) WHERE met;
-- The index lists the wins over higher-rated players, by day and by the difference in rating.
CREATE INDEX rated_upsets ON rated (venue, at / 86400000, other_value - value) WHERE score = 1 AND other_value - value > 0;

-- replays holds the ladders that must be recounted, and the first match from which each may be wrong.
CREATE TABLE replays (
  venue TEXT    NOT NULL,
  rules TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  match TEXT    NOT NULL,
  PRIMARY KEY (venue, rules)
) STRICT, WITHOUT ROWID;

-- standings holds the rows of players on leaderboards. The text in place sorts as the leaderboard does. The columns after place are
-- for ladders only: the rating after the latest rated match of the season.
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

CREATE INDEX standings_place ON standings (
  venue, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents);

-- rank_buckets counts standings in groups of neighbours. Migration 00033 drops the table.
CREATE TABLE rank_buckets (
  venue       TEXT    NOT NULL,
  season      INTEGER NOT NULL,
  rules       TEXT    NOT NULL,
  leaderboard TEXT    NOT NULL,
  level       INTEGER NOT NULL,
  first       TEXT    NOT NULL,
  length      INTEGER NOT NULL,
  PRIMARY KEY (venue, season, rules, leaderboard, level, first)
) STRICT, WITHOUT ROWID;

-- lessons holds the lessons of the course that players have solved.
CREATE TABLE lessons (
  player TEXT    NOT NULL CHECK (player NOT IN ('', 'left')),
  lesson TEXT    NOT NULL CHECK (lesson <> ''),
  solved INTEGER NOT NULL, -- when the player solved it first
  PRIMARY KEY (player, lesson)
) STRICT, WITHOUT ROWID;

-- puzzle_attempts holds the attempts of users at daily puzzles. A day is the number of days since 1970-01-01 in UTC.
CREATE TABLE puzzle_attempts (
  player  TEXT    NOT NULL CHECK (player <> ''),
  day     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  presses TEXT    NOT NULL,  -- a letter for each square, "a" for the first, and "!" after each that was wrong
  solved  INTEGER,
  PRIMARY KEY (player, day)
) STRICT, WITHOUT ROWID;

-- puzzle_listed holds the users who want to be listed among a server's solvers of the daily puzzle.
CREATE TABLE puzzle_listed (
  venue  TEXT NOT NULL CHECK (venue <> ''),
  player TEXT NOT NULL CHECK (player <> ''),
  PRIMARY KEY (venue, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzle_listed_of ON puzzle_listed (player);

-- puzzle_posts holds the channels in which servers get the daily puzzle posted.
CREATE TABLE puzzle_posts (
  venue    TEXT    NOT NULL PRIMARY KEY CHECK (venue <> ''),
  channel  TEXT    CHECK (channel <> ''),  -- NULL if it is posted nowhere
  next     INTEGER NOT NULL,               -- the first day whose puzzle no bot has begun to post
  claimed  INTEGER,                        -- when a bot began to post the puzzle before it; NULL once the result is known
  closed   TEXT    CHECK (closed <> ''),   -- the channel in which the bot may not post
  language TEXT    NOT NULL DEFAULT '',    -- of the post; empty if it is not known
  CHECK (closed IS NULL OR channel IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzle_posts_due     ON puzzle_posts (next, venue) WHERE channel IS NOT NULL;
CREATE INDEX puzzle_posts_claimed ON puzzle_posts (claimed) WHERE claimed IS NOT NULL;

-- emoji holds, for each application, the emoji that were uploaded to Discord, with a hash of the picture. An emoji without a row is
-- uploaded.
CREATE TABLE emoji (
  application TEXT NOT NULL CHECK (application <> ''),
  id          TEXT NOT NULL CHECK (id <> ''),
  name        TEXT NOT NULL CHECK (name <> ''),
  hash        TEXT NOT NULL CHECK (hash <> ''),
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

-- presence holds the time at which each partition's players were last heard. All rows are for the same number of partitions.
CREATE TABLE presence (
  part      INTEGER NOT NULL PRIMARY KEY CHECK (part >= 0),
  parts     INTEGER NOT NULL CHECK (parts > part),
  last_seen INTEGER NOT NULL
) STRICT;

-- leases holds the duties that only one process may have, until the lease expires.
CREATE TABLE leases (
  name    TEXT    NOT NULL PRIMARY KEY CHECK (name <> ''),
  holder  TEXT    NOT NULL CHECK (holder <> ''),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- claims holds the recent interactions that came over HTTP. Of several processes, only the one whose INSERT succeeds handles the
-- interaction.
CREATE TABLE claims (
  id    TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_until ON claims (until);

-- sessions holds the gateway sessions of shards in a form that the next process can resume: Discord's id of the session, the
-- sequence number of the latest event that was handled, and a hash of the bot's token. The process that resumes a session deletes
-- the row, so that no other process resumes it too.
CREATE TABLE sessions (
  shard    INTEGER NOT NULL PRIMARY KEY CHECK (shard >= 0),
  shards   INTEGER NOT NULL CHECK (shards > shard),
  id       TEXT    NOT NULL CHECK (id <> ''),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  token    TEXT    NOT NULL,
  saved    INTEGER NOT NULL
) STRICT;
