const KEY = { id: 'AA', rawId: 'AA', type: 'public-key' }

/** What no passkey has signed, as a page would send it. */
export const ASSERTION = JSON.stringify({
  passkey: { ...KEY, response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' } },
})

/** A passkey that nobody has asked for. */
export const ATTESTATION = JSON.stringify({
  name: 'key',
  passkey: { ...KEY, response: { clientDataJSON: 'e30', attestationObject: 'AA' } },
})
