import { freshSqlite } from './databases.ts'
import { refundKillStory } from './refund-kill.ts'

refundKillStory(freshSqlite, { stride: 9, rounds: 2 })
