import { freshSqlite } from './databases.ts'
import { killStory } from './kill.ts'

killStory(freshSqlite, 16)
