import { checkoutKillStory } from './checkout-kill.ts'
import { freshSqlite } from './databases.ts'

checkoutKillStory(freshSqlite, { stride: 5, rounds: 6 })
