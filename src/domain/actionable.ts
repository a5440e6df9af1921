import { states } from '../generated/lists'
import type { State } from './lifecycle'

/** The stored facts that decide whether a caller can approve or apply a change request. */
export interface ActionableFacts {
  readonly state: State
  /** The caller created it. */
  readonly own: boolean
  /** The caller has reviewed it. */
  readonly reviewed: boolean
}

/** The permissions with which a caller can approve or apply a change request. */
export interface ActionablePermissions {
  /** Required in every environment that it affects. */
  readonly permission: 'APPROVE_CHANGE_REQUEST' | 'APPLY_CHANGE_REQUEST'
  /** Authors also need ADMIN. */
  readonly admin: boolean
}

/** The permissions for a change request with these facts; undefined if no permission is enough (contract 3.4, 8). */
export function actionableWith({ state, own, reviewed }: ActionableFacts): ActionablePermissions | undefined {
  if (state === 'Approved') return { permission: 'APPLY_CHANGE_REQUEST', admin: false }
  if (state !== 'In review' || reviewed) return undefined
  return { permission: 'APPROVE_CHANGE_REQUEST', admin: own }
}

/** The states in which anyone can approve or apply a change request. */
export const actionableStates: readonly State[] = states.filter(
  (state) => actionableWith({ state, own: false, reviewed: false }) !== undefined,
)
