/** Which requests a bucket refuses if the object has changed since it was looked at. */
export interface Conditions {
  readonly put: boolean
  /** The end of an upload in parts. */
  readonly complete: boolean
  readonly copy: boolean
  readonly remove: boolean
  /** Removal of several objects by one request. */
  readonly removeMany: boolean
}
