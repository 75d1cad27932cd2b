import { freshPostgres } from '../faults/databases.ts'
import { clientStory } from './story.ts'

clientStory(freshPostgres)
