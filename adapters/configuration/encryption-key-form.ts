// How an encryption key is written: 32 bytes in base64.

/** 32 bytes are 43 characters and one sign of padding. */
export function encryptionKeyForm(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}

export function parseEncryptionKey(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
