import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { webhookKillStory } from './webhook-kill.ts'

webhookKillStory(freshSqlite, killPoints({ stride: 9, moments: 2 }))
