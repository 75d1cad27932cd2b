import { checkoutKillStory } from './checkout-kill.ts'
import { freshSqlite } from './databases.ts'
import { killPoints } from './kill-points.ts'

checkoutKillStory(freshSqlite, killPoints({ stride: 11, moments: 2 }))
