import { freshPostgres } from './databases.ts'
import { killStory } from './kill.ts'
import { killPoints } from './kill-points.ts'

killStory(freshPostgres, killPoints({ stride: 4, moments: 4 }))
