import { checkoutKillStory } from './checkout-kill.ts'
import { freshPostgres } from './databases.ts'
import { killPoints } from './kill-points.ts'

checkoutKillStory(freshPostgres, killPoints({ stride: 17, moments: 2 }))
