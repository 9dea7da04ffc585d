/** Branded types, so that one kind of id cannot be passed for another. */
export type UserId = number & { readonly __brand: 'UserId' }
export type SessionId = string & { readonly __brand: 'SessionId' }
export type SessionFamily = string & { readonly __brand: 'SessionFamily' }
export type ShareHash = string & { readonly __brand: 'ShareHash' }
export type GroupId = string & { readonly __brand: 'GroupId' }
export type GrantId = string & { readonly __brand: 'GrantId' }
export type TokenId = string & { readonly __brand: 'TokenId' }
export type ProviderId = string & { readonly __brand: 'ProviderId' }
export type RootId = string & { readonly __brand: 'RootId' }
