import { freshSqlite } from '../faults/databases.ts'
import { clientStory } from './story.ts'

clientStory(freshSqlite)
