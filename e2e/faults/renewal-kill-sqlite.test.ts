import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { manyRenewalsKillStory, renewalKillStory } from './renewal-kill.ts'

renewalKillStory(freshSqlite, killPoints({ stride: 120, moments: 0 }))
manyRenewalsKillStory(freshSqlite, killPoints({ stride: 400, moments: 0 }))
