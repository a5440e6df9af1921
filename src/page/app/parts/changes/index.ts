export { ChangedMark, FieldTable } from './field-table'
export { Said } from './said'
