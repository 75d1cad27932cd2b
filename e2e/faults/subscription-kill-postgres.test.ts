import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'
import { subscriptionKillStory } from './subscription-kill.ts'

subscriptionKillStory(freshPostgres, killPoints({ stride: 20, moments: 0 }))
