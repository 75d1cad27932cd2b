import { freshSqlite } from './databases.ts'
import { webhookKillStory } from './webhook-kill.ts'

webhookKillStory(freshSqlite, { stride: 9, rounds: 3 })
