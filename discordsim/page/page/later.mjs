// The components that the first screen does not need. They are in a separate script, which is loaded after that screen.
import { arrived } from "./dom.mjs";
import { drawings } from "./drawings.mjs";
import { Composer, Draft } from "./composer.mjs";
import { Edit, Tools, messageActions } from "./actions.mjs";
import { Forum, Tags } from "./forum.mjs";
import { Modal } from "./modal.mjs";
import { NewPoll, Poll, PollResult } from "./poll.mjs";
import { Ping } from "./ping.mjs";
import { Tour } from "./tour.mjs";
import { Card, NewGroup, Switch } from "./card.mjs";

arrived({ Card, Composer, Draft, Edit, Forum, Modal, NewGroup, NewPoll, Ping, Poll, PollResult, Switch, Tags, Tools, Tour, messageActions, drawings });
