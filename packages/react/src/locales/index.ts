/** Every language that the components speak. For servers and tests: a page imports its one language by name. */
export { en } from './en.ts'
