import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { manyRenewalsKillStory, renewalKillStory } from './renewal-kill.ts'

renewalKillStory(freshPostgres, killPoints({ stride: 120, moments: 0 }))
manyRenewalsKillStory(freshPostgres, killPoints({ stride: 400, moments: 0 }))
