-- The rows of schema-32.sql, migrated, and rows in every table and column that came after it: the schema of 1.0.

PRAGMA application_id = 0x5454546f;

CREATE TABLE goose_db_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')));
INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (32, 1), (33, 1), (34, 1), (35, 1), (36, 1), (37, 1), (38, 1), (39, 1), (40, 1), (41, 1), (42, 1), (43, 1), (44, 1), (46, 1), (47, 1), (48, 1), (49, 1), (52, 1), (53, 1), (54, 1), (58, 1);
INSERT INTO arenas VALUES
  ('a-over','home','c','t','ma-over','carol','Sunday''s ❄','3x3x3',60000,3600000,1,1772366400000,1772366400000,1772370000000,'over',NULL,5),
  ('a-missed','home','c','','ma-missed','carol','','3x3x3',60000,3600000,0,1772366400000,1772366400000,1772370000000,'called off','missed',2),
  ('a-running','home','c','t','ma-running','carol','','5x5x4',60000,3600000,0,1772366400000,1772366400000,1772370000000,'running',NULL,3),
  ('a-next','home','d','','','carol','','3x3x3',60000,3600000,1,1772366400000,1772376400000,NULL,'announced',NULL,1);
INSERT INTO asides VALUES ('m-second','bob','token','@original',1772367300000);
INSERT INTO back_offs VALUES ('bob','alice',2,1772367000000);
INSERT INTO bars VALUES
  ('','mallory',NULL),
  ('elsewhere','',1772466400000),
  ('home','mallory',1772466400001);
INSERT INTO blocks VALUES
  ('alice','mallory'),
  ('carol','veiled:key:6f0c039efb8c1a21ed5d50d8788514372ad8899843a40d94eeb781d4fcbadfd4');
INSERT INTO boards VALUES
  ('c-declined','home','c','mc-declined','t',1772366460000,1,0,2,0,'','',0,'','','',NULL,0),
  ('c-expired','home','c','mc-expired','t',1772366460000,1,0,2,0,'','',0,'','','',NULL,0),
  ('c-pending','home','c','mc-pending','t',1772366460000,1,0,1,0,'','de',2,'','','',NULL,0),
  ('c-withdrawn','home','c','mc-withdrawn','t',1772366460000,1,0,2,0,'','',0,'','','',NULL,0),
  ('m-aborted','home','c','mm-aborted','t',1772366460000,0,0,2,0,'','',0,'','','',NULL,0),
  ('m-computer','home','c','mm-computer','t',1772366460000,0,0,6,0,'','',0,'','','',NULL,0),
  ('m-drawn','home','c','mm-drawn','t',1772366460000,0,2147483647,11,0,'','',0,'','','',NULL,0),
  ('m-first','home','c','mm-first','t',1772366460000,0,0,10,0,'','',0,'','','',1772366460000,1),
  ('m-late','home','c','mm-late','t',1772366460000,0,0,3,0,'','',0,'','','edit-of-before',NULL,0),
  ('m-resigned','home','c','mm-resigned','t',1772366460000,0,0,6,0,'','',0,'','','',NULL,0),
  ('m-second','home','c','mm-second','t',1772366460000,0,3,3,3,'mention','en-US',0,'c','mm-before','',NULL,0),
  ('m-unbeatable','home','c','mm-unbeatable','t',1772366460000,0,0,10,0,'','',0,'','','',NULL,0);
INSERT INTO calendar_posts VALUES
  ('5008','puzzle','5001','','day','',0,'',20514,1772366400125,0),
  ('5009','puzzle','5002','','day','',0,'',20514,NULL,1),
  ('home','leaderboard','5001','de','week','people',1,'9001',20514,1772366400125,1);
INSERT INTO challenges VALUES
  ('c-declined','home','alice','bob','3x3x3','me',3600000,'declined',1772366400000,NULL,2,0,0),
  ('c-expired','home','alice','bob','3x3x3','me',3600000,'expired',1772366400000,NULL,2,0,0),
  ('c-pending','home','alice','bob','3x3x3','me',3600000,'pending',1772366400000,1772366700000,1,1,0),
  ('c-withdrawn','home','alice','bob','3x3x3','me',3600000,'withdrawn',1772366400000,NULL,2,0,0),
  ('m-first','home','alice','bob','3x3x3','me',3600000,'accepted',1772366400000,NULL,2,0,0),
  ('c-open','home','alice','','3x3x3','random',3600000,'pending',1772366400000,1772366700000,1,0,0),
  ('c-series','home','bob','alice','3x3x3','me',3600000,'pending',1772366400000,1772366700000,1,0,5);
INSERT INTO claims VALUES ('interaction',1772366700000);
INSERT INTO deeds VALUES
  (1,'d-levels','home','carol',1772366400000,'levels',NULL,'easy hard',NULL,NULL,'levels'),
  (2,'d-void','home','carol',1772370000000,'void','m-voided','',NULL,NULL,''),
  (3,'d-reset','elsewhere','carol',1772373600000,'reset',NULL,'',NULL,NULL,''),
  (4,'d-ratings','home','carol',1772373660000,'ratings',NULL,'off',NULL,NULL,'ratings on'),
  (5,'d-season','home','carol',1772452900000,'season',NULL,'Winter''s ❄',NULL,NULL,''),
  (6,'d-undo','home','carol',1772452800000,'undo','m-voided','','d-void',NULL,''),
  (7,'d-bar','home','carol',1772366400000,'bar',NULL,'1d',NULL,'mallory','');
INSERT INTO emoji VALUES ('app','5101','b2_x_last','0123456789abcdef');
INSERT INTO entrants VALUES
  ('a-over','alice',1772366400000,1772366400000,'left'),
  ('a-running','alice',1772366400000,1772366400001,'ready'),
  ('a-running','bob',1772366400000,1772366400002,'paused');
INSERT INTO erasures VALUES ('0123456789abcdef',1772366400000);
INSERT INTO leases VALUES ('shard 0/1','somebody',1772366430000);
INSERT INTO lessons VALUES
  ('alice','block',1772366400000),
  ('alice','line',1772366300000);
INSERT INTO matches VALUES
  ('m-aborted','m-aborted','home','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,NULL,'aborted',NULL,NULL,NULL,NULL,1772366400000,1772366400000,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-before','m-before','elsewhere','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'X','time',NULL,NULL,NULL,NULL,1772366400000,1772370000000,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-called','m-called','elsewhere','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'draw','moderator',NULL,NULL,NULL,NULL,1772366400000,1772370000000,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-computer','m-computer','home','3x3x3','alice',NULL,NULL,'easy',3600000,NULL,'X','line',NULL,NULL,NULL,NULL,1772366400000,1772366400000,6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-drawn','m-drawn','home','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'draw','full board','proposed','alice',1772366700000,NULL,1772366400000,1772366400000,11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-first','m-first','home','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'X','line','started','bob',NULL,'m-second',1772366400000,1772366400000,10,NULL,'half',2,1,0,1,0,1,1,NULL,NULL,0,5,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-late','m-late','','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'X','time',NULL,NULL,NULL,NULL,1772366400000,1772452800000,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-resigned','m-resigned','home','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'O','resignation','declined','alice',NULL,NULL,1772366400000,1772366400000,6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-second','m-first','home','3x3x3','bob',NULL,'alice',NULL,3600000,1772370000000,NULL,NULL,NULL,NULL,NULL,NULL,1772366400000,NULL,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-unbeatable','m-unbeatable','home','3x3x3',NULL,'unbeatable','bob',NULL,3600000,NULL,'draw','full board',NULL,NULL,NULL,NULL,1772366400000,1772366400000,10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-voided','m-voided','home','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,NULL,'voided',NULL,NULL,NULL,NULL,1772366400000,1772370000000,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'O','resignation',0,NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,NULL),
  ('m-wish','m-wish','','3x3x3','alice',NULL,'bob',NULL,3600000,1772370000000,NULL,NULL,NULL,NULL,NULL,NULL,1772366400000,NULL,4,'X',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'take back','X',1,1,0,NULL,NULL,NULL,NULL),
  ('m-agreed','m-agreed','','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'draw','agreement',NULL,NULL,NULL,NULL,1772366400000,1772366500000,4,'O',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'draw','O',1,0,0,NULL,NULL,NULL,NULL),
  ('m-series','m-series','','3x3x3','alice',NULL,'bob',NULL,3600000,NULL,'O','resignation',NULL,NULL,NULL,NULL,1772366400000,1772366500000,3,'X',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,5,'X',NULL,NULL,NULL),
  ('m-arena','m-arena','home','5x5x4','alice',NULL,'bob',NULL,60000,1772366460000,NULL,NULL,NULL,NULL,NULL,NULL,1772366400000,NULL,2,'X','casual',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,'a-running',NULL,NULL),
  ('m-crowd','m-crowd','home','3x3x3',NULL,'crowd',NULL,'hard',60000,1772366460000,NULL,NULL,NULL,NULL,NULL,NULL,1772366400000,NULL,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,0,NULL,NULL,'carol','5001');
INSERT INTO member_checks VALUES ('home','alice',1772366400000);
INSERT INTO moves VALUES
  ('m-agreed',0,4,1772366400000),
  ('m-arena',0,12,1772366400000),
  ('m-before',0,0,1772366400000),
  ('m-called',0,0,1772366400000),
  ('m-computer',0,4,1772366400000),
  ('m-computer',1,3,1772366400000),
  ('m-computer',2,0,1772366400000),
  ('m-computer',3,1,1772366400000),
  ('m-computer',4,8,1772366400000),
  ('m-crowd',0,4,1772366400000),
  ('m-crowd',1,0,1772366400000),
  ('m-drawn',0,4,1772366400000),
  ('m-drawn',1,0,1772366400000),
  ('m-drawn',2,2,1772366400000),
  ('m-drawn',3,6,1772366400000),
  ('m-drawn',4,3,1772366400000),
  ('m-drawn',5,5,1772366400000),
  ('m-drawn',6,1,1772366400000),
  ('m-drawn',7,7,1772366400000),
  ('m-drawn',8,8,1772366400000),
  ('m-first',0,0,1772366400000),
  ('m-first',1,1,1772366400000),
  ('m-first',2,3,1772366400000),
  ('m-first',3,4,1772366400000),
  ('m-first',4,6,1772366400000),
  ('m-late',0,0,1772366400000),
  ('m-resigned',0,0,1772366400000),
  ('m-resigned',1,1,1772366400000),
  ('m-second',0,4,1772366400000),
  ('m-second',1,0,1772366400000),
  ('m-series',0,4,1772366400000),
  ('m-unbeatable',0,4,1772366400000),
  ('m-unbeatable',1,0,1772366400000),
  ('m-unbeatable',2,2,1772366400000),
  ('m-unbeatable',3,6,1772366400000),
  ('m-unbeatable',4,3,1772366400000),
  ('m-unbeatable',5,5,1772366400000),
  ('m-unbeatable',6,1,1772366400000),
  ('m-unbeatable',7,7,1772366400000),
  ('m-unbeatable',8,8,1772366400000),
  ('m-voided',0,0,1772366400000),
  ('m-wish',0,4,1772366400000);
INSERT INTO players VALUES
  ('alice','Alice',0,0,0,0,''),
  ('bob','Bob''s; -- ''name'' ❌',0,0,0,0,''),
  ('carol',NULL,1,1,1,1,'');
INSERT INTO policies VALUES ('home','5001 5002',300000,'easy hard',1,4,1,'profiles','','4x4x4','7003',1,1,'7004',3600000,1);
INSERT INTO presence VALUES (0,1,1772366400000);
INSERT INTO public_posts VALUES ('alice','home','i-open',1772366400000);
INSERT INTO puzzle_attempts VALUES
  ('alice',20513,1772366400123,'ab!c',1772366460000),
  ('carol',20513,1772366400124,'a!',NULL);
INSERT INTO puzzle_listed VALUES ('5008','alice');
INSERT INTO rank_roles VALUES
  ('home','7001','3x3x3','top3',''),
  ('home','7002','3x3x3','champion','gone');
INSERT INTO rated VALUES
  ('home','3x3x3','alice',1772366400000,'m-first','bob',1.0,0.5,1,1500.0,350.0,1596.1881100000000515,316.06562400000001388,0.059999635000000002549,1,0,0,1),
  ('home','3x3x3','bob',1772366400000,'m-first','alice',0.0,0.5,1,1500.0,350.0,1403.8118899999999484,316.06562400000001388,0.059999635000000002549,0,0,1,1);
INSERT INTO recounts VALUES
  ('','alice'),
  ('home','alice'),
  ('','bob'),
  ('home','bob');
INSERT INTO replays VALUES
  ('elsewhere','3x3x3',1,'m-first'),
  ('home','5x5x4',1,'m-first');
INSERT INTO role_grants VALUES
  ('home','7001','alice','given',1772366400000),
  ('home','7001','bob','absent',1772366400001);
INSERT INTO score_resets VALUES ('elsewhere',1772373600000,'d-reset');
INSERT INTO scores VALUES
  ('','alice',0,'','',1,0,0,1772452800000,NULL,0,NULL,0,0,NULL,NULL),
  ('','alice',0,'3x3x3','',1,0,0,1772452800000,NULL,0,NULL,0,0,NULL,NULL),
  ('','bob',0,'','',0,0,1,1772452800000,NULL,0,NULL,0,0,NULL,NULL),
  ('','bob',0,'3x3x3','',0,0,1,1772452800000,NULL,0,NULL,0,0,NULL,NULL),
  ('home','alice',0,'','',1,1,1,1772366400000,NULL,0,NULL,0,0,NULL,NULL),
  ('home','alice',0,'','easy',1,0,0,1772366400000,1772366400000,3,1772366400000,0,0,NULL,NULL),
  ('home','alice',0,'3x3x3','',1,1,1,1772366400000,NULL,0,NULL,0,0,NULL,NULL),
  ('home','alice',0,'3x3x3','easy',1,0,0,1772366400000,1772366400000,3,1772366400000,0,0,NULL,NULL),
  ('home','bob',0,'','',1,1,1,1772366400000,NULL,0,NULL,0,0,NULL,NULL),
  ('home','bob',0,'','unbeatable',0,1,0,0,NULL,0,NULL,1,1,1772366400000,1772366400000),
  ('home','bob',0,'3x3x3','',1,1,1,1772366400000,NULL,0,NULL,0,0,NULL,NULL),
  ('home','bob',0,'3x3x3','unbeatable',0,1,0,0,NULL,0,NULL,1,1,1772366400000,1772366400000);
INSERT INTO seasons VALUES
  ('home',1,'Winter''s ❄',1772452900000,1772453000000,1772453000000,'carol','5001',1772453000123,''),
  ('home',2,NULL,1772453000000,NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO sessions VALUES (0,1,'s',7,'digest',1772366400000);
INSERT INTO standings VALUES
  ('home','alice',0,'','computers','06999999999899999999990000000000001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'','levels','11111101001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'','moves','060000000003001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'','people','99999999980000000001001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'3x3x3','computers','06999999999899999999990000000000001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'3x3x3','levels','11111101001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'3x3x3','moves','060000000003001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'3x3x3','people','99999999980000000001001772366400000alice',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','alice',0,'3x3x3','rating','1499035943alice',1596.1881100000000515,316.06562400000001388,0.059999635000000002549,1772366400000,1,0,0,1),
  ('home','bob',0,'','computers','08999999999999999999980000000000000000000000000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'','draws','9999999998001772366400000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'','people','99999999980000000001001772366400000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'3x3x3','computers','08999999999999999999980000000000000000000000000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'3x3x3','draws','9999999998001772366400000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'3x3x3','people','99999999980000000001001772366400000bob',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
  ('home','bob',0,'3x3x3','rating','1499228319bob',1403.8118899999999484,316.06562400000001388,0.059999635000000002549,1772366400000,0,0,1,1);
INSERT INTO unranked VALUES ('home','mallory','moderator');
INSERT INTO venues VALUES
  ('elsewhere',1772366400000),
  ('home',NULL);
INSERT INTO votes VALUES
  ('m-crowd','alice','X',2,8,4),
  ('m-crowd','bob','X',0,0,0);
