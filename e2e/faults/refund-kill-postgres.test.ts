import { freshPostgres } from './databases.ts'
import { refundKillStory } from './refund-kill.ts'

refundKillStory(freshPostgres, { stride: 13, rounds: 2 })
