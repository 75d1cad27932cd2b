import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { refundKillStory } from './refund-kill.ts'

refundKillStory(freshSqlite, killPoints({ stride: 9, moments: 2 }))
