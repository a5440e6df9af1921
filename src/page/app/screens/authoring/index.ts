export { Editor, type EditorProps } from './editor'
export { NewRequest } from './new-request'
