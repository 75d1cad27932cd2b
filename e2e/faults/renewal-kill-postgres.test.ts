import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { renewalKillStory } from './renewal-kill.ts'

renewalKillStory(freshPostgres, killPoints({ stride: 120, moments: 0 }))
