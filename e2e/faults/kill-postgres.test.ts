import { freshPostgres } from './databases.ts'
import { killStory } from './kill.ts'

killStory(freshPostgres, 12)
