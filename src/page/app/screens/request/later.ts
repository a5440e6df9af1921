export { ShownDialog } from './dialogs/dialogs'
export { Happened } from './discussion/happened'
