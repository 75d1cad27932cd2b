import { freshSqlite } from './databases.ts'
import { killStory } from './kill.ts'
import { killPoints } from './kill-points.ts'

killStory(freshSqlite, killPoints({ stride: 4, moments: 4 }))
