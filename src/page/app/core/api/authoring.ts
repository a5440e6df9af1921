import { authoringCalls } from '../../../../client/authoring-calls'
import { sender } from './session'

/** The calls of those who propose changes. */
export const authoring = authoringCalls(sender)
