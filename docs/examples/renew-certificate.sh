#!/bin/sh
# Gives a running service a certificate that was renewed: a deploy hook of certbot and of whatever
# else sets RENEWED_LINEAGE to the folder with fullchain.pem and privkey.pem.
#
#   certbot certonly … --deploy-hook /usr/local/sbin/renew-certificate
#
# New connections get it at once; open ones go on. The token is that of an admin, in a file that
# only the owner of this script can read.
set -eu

folder=${RENEWED_LINEAGE:?expected the folder of the certificate}
faderd=${FADERD:-faderd}
url=${FADERD_URL:-http://127.0.0.1:8080}
token=${FADERD_TOKEN_FILE:-/etc/faderd/renewal-token}

# The archive holds the private key.
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

$faderd tls pack "$folder/fullchain.pem" "$folder/privkey.pem" "$work/tls.bin"
$faderd restore "$work/tls.bin" --tags TLS --url "$url" --token-file "$token"
