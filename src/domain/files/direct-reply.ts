/** How a browser gets a file from the storage itself: headers of the response. */
export interface DirectReply {
  readonly type: string
  readonly disposition: string
  readonly cacheControl: string
}
