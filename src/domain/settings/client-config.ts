import { Type, type Static } from 'typebox'

/** The configuration of the page, as JSON in `#filemgr-config`. */
export const ClientConfig = Type.Object({
  AuthMethod: Type.String(),
  BaseURL: Type.String(),
  CSS: Type.Boolean(),
  Color: Type.String(),
  /** The page was asked for with the cookie of a living session, although scripts cannot see that cookie. */
  CookieSession: Type.Optional(Type.Literal(true)),
  DisableExternal: Type.Boolean(),
  DisableUsedPercentage: Type.Boolean(),
  EnableExec: Type.Boolean(),
  EnableThumbs: Type.Boolean(),
  HideLoginButton: Type.Boolean(),
  LoginPage: Type.Boolean(),
  /** An administrator has put a logo of theirs in place of ours. */
  Logo: Type.Optional(Type.Literal(true)),
  LogoutPage: Type.String(),
  Name: Type.String(),
  NoAuth: Type.Boolean(),
  /** Where links lead, when that is not the address of the page. */
  PublicURL: Type.Optional(Type.String()),
  ReCaptcha: Type.Boolean(),
  /** Origin of the captcha service; only where there is one. */
  ReCaptchaHost: Type.Optional(Type.String()),
  ReCaptchaKey: Type.Optional(Type.String()),
  ResizePreview: Type.Boolean(),
  Signup: Type.Boolean(),
  StaticURL: Type.String(),
  Theme: Type.String(),
  TusSettings: Type.Object({ chunkSize: Type.Integer(), retryCount: Type.Integer() }),
  Version: Type.String(),
  /** The server can make thumbnails of videos: otherwise the page does not ask for them. */
  VideoThumbs: Type.Optional(Type.Literal(true)),
})
export type ClientConfig = Static<typeof ClientConfig>
