import { checkoutKillStory } from './checkout-kill.ts'
import { freshPostgres } from './databases.ts'

checkoutKillStory(freshPostgres, { stride: 9, rounds: 4 })
