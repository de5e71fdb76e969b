//go:build talos1.12

package main

import (
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
	"github.com/siderolabs/talos/pkg/machinery/resources/cri"
)

type validator interface {
	Validate(validation.RuntimeMode, ...validation.Option) ([]string, error)
}

// As the controller RegistriesConfigController puts them together.
func registriesOf(provider config.Provider) cri.Registries {
	all := &cri.RegistriesConfigSpec{
		RegistryMirrors: map[string]*cri.RegistryMirrorConfig{},
		RegistryAuths:   map[string]*cri.RegistryAuthConfig{},
		RegistryTLSs:    map[string]*cri.RegistryTLSConfig{},
	}
	for name, mirror := range provider.RegistryMirrorConfigs() {
		found := &cri.RegistryMirrorConfig{MirrorSkipFallback: mirror.SkipFallback()}
		for _, endpoint := range mirror.Endpoints() {
			found.MirrorEndpoints = append(found.MirrorEndpoints, cri.RegistryEndpointConfig{
				EndpointEndpoint:     endpoint.Endpoint(),
				EndpointOverridePath: endpoint.OverridePath(),
			})
		}
		all.RegistryMirrors[name] = found
	}
	for name, auth := range provider.RegistryAuthConfigs() {
		all.RegistryAuths[name] = &cri.RegistryAuthConfig{
			RegistryUsername:      auth.Username(),
			RegistryPassword:      auth.Password(),
			RegistryAuth:          auth.Auth(),
			RegistryIdentityToken: auth.IdentityToken(),
		}
	}
	for name, trust := range provider.RegistryTLSConfigs() {
		all.RegistryTLSs[name] = &cri.RegistryTLSConfig{
			TLSCA:                 trust.CA(),
			TLSInsecureSkipVerify: trust.InsecureSkipVerify(),
			TLSClientIdentity:     trust.ClientIdentity(),
		}
	}
	return all
}
