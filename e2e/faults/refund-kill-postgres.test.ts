import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { refundKillStory } from './refund-kill.ts'

refundKillStory(freshPostgres, killPoints({ stride: 13, moments: 2 }))
