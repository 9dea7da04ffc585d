/** Links are secrets in an address: neither a cache nor the next site nor a search engine is to learn of them. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
