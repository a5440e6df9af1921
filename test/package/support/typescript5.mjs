import { register } from 'node:module'

// Lets a program that imports `typescript` have version 5: version 7 has no interface for programs.
const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript5' : name, context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
