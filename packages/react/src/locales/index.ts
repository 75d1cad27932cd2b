/** Every language that the components speak. For servers and tests: a page imports its one language by name. */
export { de } from './de.ts'
export { en } from './en.ts'
export { es } from './es.ts'
export { fr } from './fr.ts'
export { pl } from './pl.ts'
export { ru } from './ru.ts'
export { tr } from './tr.ts'
export { uk } from './uk.ts'
