/** Why a user was signed out, as in the address of the login page. */
export type LogoutReason = 'inactivity' | 'link-expired' | 'ended'

type SessionMessage = { kind: 'token'; token: string } | { kind: 'sign-out'; reason?: LogoutReason | undefined }

interface SessionListener {
  token: (token: string) => void
  signOut: (reason?: LogoutReason) => void
}

export function createSessionLink(channel: BroadcastChannel) {
  const send = (message: SessionMessage) => channel.postMessage(message)
  return {
    sendToken: (token: string) => send({ kind: 'token', token }),
    sendSignOut: (reason?: LogoutReason) => send({ kind: 'sign-out', reason }),
    listen({ token, signOut }: SessionListener) {
      channel.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
        if (data.kind === 'token') token(data.token)
        else signOut(data.reason)
      })
    },
  }
}

/** Keeps all windows of a browser in the same session: signing out in one signs out in all. */
export type SessionLink = ReturnType<typeof createSessionLink>
