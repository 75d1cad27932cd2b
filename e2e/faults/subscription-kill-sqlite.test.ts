import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { subscriptionKillStory } from './subscription-kill.ts'

subscriptionKillStory(freshSqlite, killPoints({ stride: 20, moments: 0 }))
