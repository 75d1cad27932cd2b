import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { renewalKillStory } from './renewal-kill.ts'

renewalKillStory(freshSqlite, killPoints({ stride: 120, moments: 0 }))
